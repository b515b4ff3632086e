// Bodies coloured by stress, strain or contact pressure: a control and a key choose, a legend tells what the colours mean;
// the page describes the scene, names its hands and says what it draws.
import { browser, check, drawn, openPage, serve, shot, toolAt, until } from './browser.mjs';

const context = await browser();
const server = await serve('scenes/snap-in.yaml');
try {
  const page = await openPage(context, server.address);
  check(/polyethylene clip/.test(await page.textContent('#about')), 'the page describes the scene');
  check((await page.textContent('.hand-name')) === 'hand' && (await page.locator('.hand-name').isVisible()), 'the hand is named where it is');
  check(/^[\d.]+ N on hand$/.test(await page.textContent('#readout div')), 'the force has a unit and an owner');
  await until(async () => /\d+ states\/s, \d+ drawn\/s/.test(await page.textContent('#status')), 'states and pictures are told apart');
  check(await page.locator('#scale').isHidden(), 'no legend without colours');

  // Pushed on far enough to be strained, then frozen: only the colours change from here on.
  const touching = () => page.evaluate(() => Number(document.querySelector('#view').dataset.touching ?? 0));
  const force = () => page.evaluate(() => Number(document.querySelector('#readout div').dataset.force));
  await until(async () => (await touching()) > 0 && (await force()) > 4, 'the clip is pushed on');
  await page.getByRole('button', { name: 'Pause' }).click();
  await until(() => page.getByRole('button', { name: 'Play' }).isVisible(), 'it stands still');
  await page.waitForTimeout(1000);
  // Pictures stay in the page: a million numbers on their way to the test cost seconds each.
  const keep = (name) =>
    page.evaluate((name) => {
      const view = document.querySelector('#view');
      const copy = new OffscreenCanvas(view.width, view.height).getContext('2d');
      copy.drawImage(view, 0, 0);
      (window.pictures ??= {})[name] = copy.getImageData(0, 0, view.width, view.height).data;
    }, name);
  const different = (one, other) =>
    page.evaluate(([one, other]) => {
      const [a, b] = [window.pictures[one], window.pictures[other]];
      let count = 0;
      for (let i = 0; i < a.length; i += 4) if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 30) ++count;
      return count;
    }, [one, other]);
  const changed = async (from, name) => {
    await keep(name);
    return different(from, name);
  };
  const most = () => page.evaluate(() => Number(document.querySelector('#scale').dataset.most ?? 0));
  await keep('plain');
  const pick = page.getByRole('combobox', { name: 'Colour of the bodies' });
  for (const [of, caption] of [
    ['stress', /^von Mises stress \([kMG]?Pa\)$/],
    ['strain', /^equivalent strain \(%\)$/],
    ['pressure', /^contact pressure \([kMG]?Pa\)$/],
  ]) {
    await pick.selectOption(of);
    await until(async () => caption.test(await page.textContent('#scale-caption')), `${of}: the legend names it with its unit`);
    check((await page.locator('#scale-bar').isVisible()) && (await most()) > 0, `${of}: the bar ends at ${await most()}`);
    const ticks = (await page.locator('#scale-ticks span').allTextContents()).map(Number);
    check(ticks[0] === 0 && ticks[1] > 0 && ticks[2] > ticks[1], `${of}: ticks ${ticks}`);
    await page.waitForTimeout(800);
    await until(async () => (await changed('plain', of)) > 2000, `${of}: the bodies have another colour`);
    check(true, `${of}: ${await different('plain', of)} pixels have another colour`);
    await shot(page, `colours-${of}`);
  }
  check((await different('stress', 'pressure')) > 500, 'pressure looks different from stress');

  // The map: lighter is more, all the way.
  const light = await page.evaluate(() => {
    const bar = document.querySelector('#scale-bar');
    const { data } = bar.getContext('2d').getImageData(0, 0, bar.width, 1);
    return Array.from({ length: bar.width }, (_, i) => 0.2126 * data[4 * i] + 0.7152 * data[4 * i + 1] + 0.0722 * data[4 * i + 2]);
  });
  check(light.every((v, i) => i === 0 || v >= light[i - 1] - 0.5) && light.at(-1) > light[0] + 120, 'the bar grows lighter from end to end');

  // The key goes on to the bodies' own colours.
  await page.locator('#view').focus();
  await page.keyboard.press('c');
  await until(() => page.locator('#scale').isHidden(), 'the key c takes the colours away');
  const most_left = 0.1 * (await different('plain', 'pressure')); // arrows may have grown
  await until(async () => (await changed('plain', 'again')) < most_left, 'and the bodies look as before');
  await page.keyboard.press('c');
  check((await pick.inputValue()) === 'stress', 'the key c chooses the next one');

  // Follow: what moves stays where it is on the screen.
  await page.keyboard.press('v');
  check((await page.getAttribute('#follow', 'aria-pressed')) === 'true', 'the key v follows what moves');
  const tool = () => toolAt(page);
  const before = await tool();
  await page.getByRole('button', { name: 'Play' }).click();
  // By then the hand has pulled the clip off, 55 mm away: twice the clip's own size.
  await until(() => page.evaluate(() => Number(document.querySelector('#view').dataset.step) * 0.003 > 6.5), 'the clip is pulled off');
  await drawn(page);
  const after = await tool();
  const way = Math.hypot(after.x - before.x, after.y - before.y);
  check(way < 40, `the hand has moved by ${way.toFixed(0)} pixels on the screen`);
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
} finally {
  await context.close();
  await server.stop();
}
