// The page loads without errors, shows a mesh that moves; pause freezes it, step makes one step, play goes on.
import { browser, check, openPage, serve, shot, until } from './browser.mjs';

const context = await browser();
const server = await serve('scenes/snap-in.yaml');
try {
  const page = await openPage(context, server.address);
  const picture = async () => (await page.locator('#view').screenshot()).toString('base64');
  const step = () => page.evaluate(() => Number(document.querySelector('#view').dataset.step));
  const paused = () => page.getByRole('button', { name: 'Play' }).isVisible();

  check((await page.title()) === 'Palp: snap-in', 'the title names the scene');
  const first = await picture();
  await until(async () => (await picture()) !== first, 'the mesh moves: its pixels change');
  check(true, 'the mesh moves: its pixels change');
  await shot(page, 'moving');

  await page.getByRole('button', { name: 'Pause' }).click();
  await until(paused, 'the button says Play');
  // What was on its way when the button was pressed still arrives, on a busy machine late.
  const shown = async () => `${await step()} ${await picture()}`;
  await until(async () => {
    const before = await shown();
    await page.waitForTimeout(1500);
    return (await shown()) === before;
  }, 'pause freezes picture and time');
  const at = await step();

  await page.getByRole('button', { name: 'Step' }).click();
  await until(async () => (await step()) !== at, 'a step is made');
  await page.waitForTimeout(1200);
  check((await step()) === at + 1, 'one press is one step');

  await page.getByRole('button', { name: 'Play' }).click();
  await until(async () => (await step()) > at + 5, 'the simulation goes on');

  await page.getByRole('combobox', { name: 'Speed' }).selectOption('0.1');
  await until(async () => parseFloat((await page.textContent('#status')).split('·')[1]) < 0.3, 'a tenth of the speed');

  // The picker, and back.
  const pick = page.getByRole('combobox', { name: 'Scene' });
  await pick.selectOption({ label: 'falling-ball' });
  await until(async () => (await page.title()) === 'Palp: falling-ball', 'another scene is shown');
  await shot(page, 'falling-ball');
  check(page.problems.length === 0, `no errors on the page ${page.problems.join('; ')}`);
} finally {
  await context.close();
  check((await server.stop()) === 0, 'the program ends with 0 when told to');
}
