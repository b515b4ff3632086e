// Geometrically limited constraints (K16): their patches and the trust region appear, carriers in their own colour, and
// can be switched off.
import { browser, check, openPage, serve, shot, until } from './browser.mjs';

const context = await browser();
const server = await serve('scenes/k16-statue.yaml');
try {
  const page = await openPage(context, server.address);
  const told = (name) => page.evaluate((n) => Number(document.querySelector('#view').dataset[n] ?? 0), name);
  await until(async () => (await told('patches')) > 0, 'patches are told');
  check((await told('patches')) <= 100, `${await told('patches')} patches, at most as many as the scene allows`);
  check((await told('regions')) === 1, 'one trust region, for the one proxy');
  await until(async () => (await told('carriers')) > 0, 'a patch carries');
  await page.getByRole('button', { name: 'Pause' }).click();
  await until(() => page.getByRole('button', { name: 'Play' }).isVisible(), 'it stands still');
  await page.waitForTimeout(1000);
  check((await told('carriers')) > 0, 'a patch carries in the frozen picture');
  check(await page.locator('#patch-legend').isVisible(), 'the legend names the colour');

  // Pixels: blue ones of the idle patches, yellow ones of those that carry.
  const pixels = () =>
    page.evaluate(() => {
      const view = document.querySelector('#view');
      const copy = new OffscreenCanvas(view.width, view.height).getContext('2d');
      copy.drawImage(view, 0, 0);
      const { data } = copy.getImageData(0, 0, view.width, view.height);
      let yellow = 0;
      let blue = 0;
      for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
        if (r > 200 && g > 150 && b < 120) ++yellow;
        if (b > r + 12 && b > g + 6) ++blue;
      }
      return { yellow, blue };
    });
  const on = await pixels();
  await shot(page, 'patches');
  await page.locator('#panel summary', { hasText: 'Show' }).click();
  const box = page.getByRole('checkbox', { name: 'Contact patches and trust region' });
  await box.uncheck();
  await page.waitForTimeout(1000);
  const off = await pixels();
  await shot(page, 'patches-off');
  check(on.yellow > off.yellow + 10, `carriers are drawn: ${on.yellow} yellow pixels, ${off.yellow} without`);
  check(on.blue > off.blue + 100, `patches are drawn: ${on.blue} blue pixels, ${off.blue} without`);

  await box.check();
  await page.getByRole('combobox', { name: 'Scene' }).selectOption({ label: 'k16-two-hands' });
  await until(async () => (await told('regions')) === 2, 'two hands, two regions');
  await page.getByRole('button', { name: 'Play' }).click({ timeout: 2000 }).catch(() => {}); // may play already
  await until(async () => (await told('carriers')) >= 2, 'both hands are carried');
  await shot(page, 'patches-two-hands');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
} finally {
  await context.close();
  await server.stop();
}
