// Light and dark: the system's choice until the visitor makes one.

const system = matchMedia('(prefers-color-scheme: dark)');
let chosen: boolean | null = null;
try {
  const kept = localStorage.getItem('palp-dark');
  if (kept !== null) chosen = kept === '1';
} catch {
  // no storage in a private window: the choice lasts as long as the page
}

export function watchTheme(button: HTMLButtonElement, apply: (dark: boolean) => void): void {
  const update = () => {
    const dark = chosen ?? system.matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    button.setAttribute('aria-pressed', String(dark));
    apply(dark);
  };
  system.addEventListener('change', update);
  button.addEventListener('click', () => {
    chosen = !(chosen ?? system.matches);
    try {
      localStorage.setItem('palp-dark', chosen ? '1' : '0');
    } catch {
      // as above
    }
    update();
  });
  update();
}
