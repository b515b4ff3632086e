import { defineConfig } from 'vite';

// Fixed names, one script and one style: the program embeds these files (server/assets.cpp).
export default defineConfig({
  base: './',
  esbuild: { legalComments: 'inline' },
  build: {
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      output: {
        inlineDynamicImports: true,
        entryFileNames: 'app.js',
        assetFileNames: 'app[extname]',
      },
    },
  },
});
