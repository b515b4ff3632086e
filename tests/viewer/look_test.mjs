// From a phone to a large monitor, light and dark: everything has its place, a name, and can be reached by keys.
import { browser, check, drawn, openPage, serve, shot, until } from './browser.mjs';

const context = await browser();
const server = await serve('scenes/snap-in.yaml');
try {
  const page = await openPage(context, server.address);
  const sizes = [
    ['phone', 390, 844],
    ['tablet', 820, 1100],
    ['laptop', 1366, 768],
    ['monitor', 2560, 1440],
  ];
  for (const [name, width, height] of sizes)
    for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height });
      const panel = () => page.evaluate(() => document.querySelector('#toggle-panel').getAttribute('aria-expanded') === String(innerWidth > 760));
      await until(panel, `${name}: the panel is open where there is room`);
      const fits = () => page.evaluate(() => {
        const wide = document.documentElement.scrollWidth <= innerWidth;
        const view = document.querySelector('#view').getBoundingClientRect();
        const outside = [...document.querySelectorAll('header button, header select, #transport button, #transport select')]
          .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 || e.getBoundingClientRect().bottom > innerHeight + 1)
          .map((e) => e.id);
        return { wide, outside, share: (view.width * view.height) / (innerWidth * innerHeight) };
      });
      await until(async () => (await fits()).share > 0.35, `${name}, ${scheme}: the view has a third of the page`);
      const { wide, outside, share } = await fits();
      check(wide && outside.length === 0, `${name}, ${scheme}: nothing sticks out ${outside}`);
      check(share > 0.35, `${name}, ${scheme}: the view has ${Math.round(100 * share)} % of the page`);
      await until(() => page.evaluate((s) => document.documentElement.dataset.theme === s, scheme), `${name}: ${scheme} as the system wants`);
      await drawn(page);
      await shot(page, `look-${name}-${scheme}`);
    }
  await page.setViewportSize({ width: 1366, height: 768 });

  // Every control has a name that a screen reader can say.
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, input, canvas[tabindex]')]
      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim()))
      .map((e) => e.outerHTML),
  );
  check(nameless.length === 0, `every control has a name ${nameless}`);

  // Tab reaches them all.
  const reached = new Set();
  await page.locator('body').focus();
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.dataset?.kind || document.activeElement?.tagName));
  }
  for (const id of ['scenes', 'view', 'play', 'step', 'reset', 'speed', 'record', 'shot', 'theme', 'friction', 'SUMMARY'])
    check(reached.has(id), `Tab reaches ${id}`);

  // The theme button wins over the system, and is remembered.
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Light or dark' }).click();
  check((await page.evaluate(() => document.documentElement.dataset.theme)) === 'dark', 'the theme button makes it dark');
  await page.reload();
  check((await page.evaluate(() => document.documentElement.dataset.theme)) === 'dark', 'and it stays dark');

  // The panel's other parts open: Delassus, plots.
  while (await page.locator('#panel details:not([open])').count()) await page.locator('#panel details:not([open]) > summary').first().click();
  await page.waitForTimeout(1500);
  await shot(page, 'look-panel');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
} finally {
  await context.close();
  await server.stop();
}
