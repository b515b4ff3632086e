// Fingers and gamepads: one finger drags the tool, a second one moves it in depth; the sticks of a (pretended) pad
// move it, and contact makes the pad rumble.
import { browser, check, force, openPage, serve, shot, toolAt, until } from './browser.mjs';

const context = await browser();
const server = await serve('scenes/snap-in.yaml', { more: ['--paused'] });
try {
  await context.addInitScript(() => {
    const buttons = Array.from({ length: 17 }, () => ({ pressed: false, value: 0 }));
    const pad = { connected: true, axes: [0, 0, 0, 0], buttons, rumbles: 0 };
    pad.vibrationActuator = { playEffect: async () => ++pad.rumbles };
    window.pretendedPad = pad;
    navigator.getGamepads = () => [pad];
  });
  const page = await openPage(context, server.address);
  await page.getByRole('button', { name: 'Play' }).click();
  const holding = () => page.evaluate(() => document.querySelector('#view').dataset.holding === 'true');

  // One finger, then a second one.
  const cdp = await context.newCDPSession(page);
  const touch = (type, ...points) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const start = await toolAt(page);
  await touch('touchStart', [start.x, start.y]);
  await until(holding, 'a finger takes the tool');
  for (let i = 1; i <= 10; ++i) {
    await touch('touchMove', [start.x + 4 * i, start.y - 3 * i]);
    await page.waitForTimeout(40);
  }
  await until(async () => (await toolAt(page)).x > start.x + 20, 'the tool follows the finger');
  check(true, 'the tool follows the finger');
  const far = [start.x + 40, start.y - 30];
  await touch('touchStart', far, [100, 400]);
  for (let i = 1; i <= 10; ++i) {
    await touch('touchMove', far, [100, 400 - 12 * i]);
    await page.waitForTimeout(40);
  }
  await shot(page, 'touch-screen');
  await touch('touchEnd');
  await until(async () => !(await holding()), 'it is let go');

  // The pad: left stick down.
  const before = await toolAt(page);
  await page.evaluate(() => (window.pretendedPad.axes[1] = 1));
  await until(async () => (await toolAt(page)).y > before.y + 20, 'the stick moves the tool');
  check(true, 'the stick moves the tool');
  await until(async () => (await force(page)) > 3, 'the tool meets the pipe');
  await until(() => page.evaluate(() => window.pretendedPad.rumbles > 0), 'the pad rumbles');
  check(true, 'contact makes the pad rumble');
  await page.evaluate(() => {
    window.pretendedPad.axes[1] = 0;
    window.pretendedPad.buttons[5] = { pressed: true, value: 1 };
  });
  await until(async () => (await force(page)) < 0.5, 'the shoulder button lets go');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
} finally {
  await context.close();
  await server.stop();
}
