// A device at the hand while the page looks on: the emulated arm snaps the clip on; beside a device a visitor moves the
// other hand.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { browser, check, openPage, program, root, serve, shot, toolAt, until } from './browser.mjs';

/** palp emulate KIND at any free port: its address, and what it says at its end. */
async function emulate(...options) {
  const child = spawn(program, ['emulate', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (part) => (text += part));
  await until(() => text.includes(' is at '), 'the double is there');
  const address = text.match(/ is at ([^;]+);/)[1];
  const stop = () => new Promise((resolve) => {
    child.on('exit', () => resolve(text));
    child.kill('SIGTERM');
  });
  return { address, stop };
}
const forces = (page) => page.evaluate(() => [...document.querySelectorAll('#readout div')].map((d) => Number(d.dataset.force)));
const holding = (page) => page.evaluate(() => document.querySelector('#view').dataset.holding === 'true');


const context = await browser();
let double = null;
let server = null;
try {
  double = await emulate('haply', '--port', '0');
  server = await serve('scenes/snap-in.yaml', { more: ['--device', `hand=haply,address=${double.address}`] });
  let page = await openPage(context, server.address);
  // The arm comes down every 10 s. A clip that is on the pipe is felt when the arm goes up again: it pulls. The page
  // itself looks, at every picture: a busy machine answers questions late.
  await page.evaluate(() => {
    const seen = (window.seen = { push: 0, pull: 0, force: 0 });
    new MutationObserver(() => {
      const { force, components } = document.querySelector('#readout div').dataset;
      const y = Number(components.split(' ')[1]);
      seen.push = Math.max(seen.push, y);
      if (seen.push > 4) seen.pull = Math.max(seen.pull, -y);
      seen.force = Math.max(seen.force, Number(force));
    }).observe(document.querySelector('#readout'), { childList: true });
  });
  const seen = () => page.evaluate(() => window.seen);
  await until(async () => (await seen()).push > 4, 'the emulated arm presses the clip on the pipe', 240);
  await shot(page, 'device-push');
  await until(async () => (await seen()).pull > 3, 'the clip is on, and the arm pulls at it', 240);
  await shot(page, 'device-snapped');
  check(true, 'the emulated arm snaps the clip on the pipe');
  const { force: highest } = await seen();
  check(highest <= 8.01, `within the limit of the device: ${highest.toFixed(2)} N`);

  // The hand is the device's: nobody can take it.
  const at = await toolAt(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 40, at.y, { steps: 4 });
  check(!(await holding(page)), 'a visitor cannot take the hand of a device');
  await page.mouse.up();
  const code = await server.stop();
  server = null;
  check(code === 0, 'the program ends when it is told to');
  let said = await double.stop();
  double = null;
  check(/last 0\.000 N, 0 not finite, motors off/.test(said), `the device was left with zero force: ${said.trim().split('\n').at(-1)}`);
  await page.close();

  // One device and one visitor.
  double = await emulate('udp', '--port', '0', '--scene', join(root, 'scenes/two-hands.yaml'), '--hand', 'left');
  server = await serve('scenes/two-hands.yaml', { more: ['--device', `left=udp,address=${double.address}`, '--device', 'right=page'] });
  page = await openPage(context, server.address);
  await until(async () => (await forces(page))[1] > 0.05, 'the device presses the bar from below', 240);
  check((await forces(page))[0] < 0.05, "the visitor's hand rests until it is taken");
  await page.locator('#view').focus();
  await page.keyboard.down('ArrowDown');
  await until(async () => (await forces(page))[0] > 0.1, 'the visitor presses from above', 240);
  await page.keyboard.up('ArrowDown');
  const [visitor, device] = await forces(page);
  check(await holding(page), `device and visitor feel the bar at once: ${device.toFixed(2)} and ${visitor.toFixed(2)} N`);
  await shot(page, 'device-and-visitor');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
  await server.stop();
  server = null;
  said = await double.stop();
  double = null;
  check(/last 0\.000 N, 0 not finite, motors off/.test(said), 'and the device was left with zero force');
} finally {
  await context.close();
  await server?.stop();
  await double?.stop();
}
