// Headless Chromium with the viewer's page in it, and the program that serves it.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const program = process.env.PALP_PROGRAM ?? join(root, 'build/release/palp');
export const shots = process.env.PALP_SHOTS ?? join(root, 'build/release/viewer-screenshots');
mkdirSync(shots, { recursive: true });

const skip_code = 77; // ctest's SKIP_RETURN_CODE

/** Ends the test as skipped when there is no browser or no driver. */
export async function browser() {
  const chromium_path = process.env.PALP_CHROMIUM ?? '/usr/bin/chromium';
  const driver = join(root, 'apps/viewer/page/node_modules/playwright-core/index.mjs');
  for (const [file, remedy] of [
    [chromium_path, 'install the Debian package chromium'],
    [driver, 'run npm ci in apps/viewer/page'],
  ])
    if (!existsSync(file)) {
      console.log(`skipped: ${file} is missing (${remedy}; ./run-tests does both)`);
      process.exit(skip_code);
    }
  const { chromium } = await import(driver);
  const profile = mkdtempSync(join(tmpdir(), 'palp-chromium-'));
  const flags = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist'];
  if (process.env.PALP_PAGE) flags.push('--disable-features=LocalNetworkAccessChecks');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromium_path, headless: true, args: flags,
    viewport: { width: 900, height: 640 }, acceptDownloads: true,
  });
  context.setDefaultTimeout(120000); // a busy machine without a graphics card draws slowly
  const close = context.close.bind(context);
  context.close = async () => {
    await close();
    rmSync(profile, { recursive: true, force: true });
  };
  return context;
}

/** Starts palp view and waits for its address. */
export async function serve(scene, { port = 0, more = [] } = {}) {
  const child = spawn(program, ['view', resolve(root, scene), '--port', String(port), '--no-browser', '--json', ...more],
    { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
    child.on('exit', (code) => reject(new Error(`palp view ended with ${code}`)));
  });
  const { address, port: taken } = JSON.parse(line);
  const stop = () => new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.on('exit', (code) => resolve(code));
    child.kill('SIGTERM');
  });
  return { address, port: taken, stop };
}

/** Runs palp to its end. */
export const palp = (...options) => execFileSync(program, options, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

/** A page that collects what goes wrong in it. */
export async function openPage(context, address) {
  const page = await context.newPage();
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') page.problems.push(message.text());
  });
  page.on('requestfailed', (request) => page.problems.push(`${request.url()} failed`));
  // For work on the page: its files from a folder (page/dist) instead of those in the program.
  if (process.env.PALP_PAGE)
    await page.route(/\.(js|css|html|svg)$|\/$/, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
      return route.fulfill({ path: join(process.env.PALP_PAGE, name) });
    });
  await page.goto(address);
  // What tests read: where the tool is (told soon), and what was drawn (told every half second).
  await page.waitForFunction(() => {
    const { toolX, pictures } = document.querySelector('#view').dataset;
    return toolX !== undefined && pictures !== undefined;
  }, null);
  return page;
}

export const force = (page) => page.evaluate(() => Number(document.querySelector('#readout div')?.dataset.force ?? NaN));
export const shot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`) });

/** Two pictures have been drawn since now. */
export async function drawn(page) {
  const pictures = () => page.evaluate(() => Number(document.querySelector('#view').dataset.pictures));
  const before = await pictures();
  await until(async () => (await pictures()) > before + 1, 'pictures are drawn');
}

/** Where the tool is on the page, in pixels. */
export async function toolAt(page) {
  const box = await page.locator('#view').boundingBox();
  const at = await page.locator('#view').evaluate((c) => [Number(c.dataset.toolX), Number(c.dataset.toolY)]);
  return { x: box.x + at[0], y: box.y + at[1] };
}

export function check(condition, text) {
  if (!condition) throw new Error(`not so: ${text}`);
  console.log(`ok: ${text}`);
}

/** Waits until `probe` gives something true. */
export async function until(probe, what, seconds = 90) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`it never happened: ${what}`);
    await new Promise((r) => setTimeout(r, 50));
  }
}
