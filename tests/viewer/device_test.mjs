// A device at the hand while the page looks on: the emulated arm snaps the clip on; beside a device a visitor moves the
// other hand.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { browser, check, force, openPage, program, root, serve, shot, toolAt, until } from './browser.mjs';

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
try {
  let double = await emulate('haply', '--port', '0');
  let server = await serve('scenes/snap-in.yaml', { more: ['--device', `hand=haply,address=${double.address}`] });
  let page = await openPage(context, server.address);
  let highest = 0;
  let low = Infinity;
  // The arm comes again every 8.5 s; the device is limited to 8 N. It moves by 4.5 cm, which is off and on the pipe.
  await until(async () => {
    const { y } = await toolAt(page);
    const now = await force(page);
    if (now > highest) {
      highest = now;
      if (now > 3) await shot(page, 'device-push');
    }
    low = Math.min(low, y);
    return highest > 3 && y > low + 100;
  }, 'the emulated arm goes down and feels the pipe');
  check(true, `the emulated arm presses the clip on the pipe: ${highest.toFixed(1)} N at most`);
  await until(async () => (await page.evaluate(() => Number(document.querySelector('#view').dataset.touching))) > 0, 'it touches');
  await shot(page, 'device-snapped');
  check(highest <= 8.01, 'within the limit of the device');

  // The hand is the device's: nobody can take it.
  const at = await toolAt(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 40, at.y, { steps: 4 });
  check(!(await holding(page)), 'a visitor cannot take the hand of a device');
  await page.mouse.up();
  check((await server.stop()) === 0, 'the program ends when it is told to');
  let said = await double.stop();
  check(/last 0\.000 N, 0 not finite, motors off/.test(said), `the device was left with zero force: ${said.trim().split('\n').at(-1)}`);
  await page.close();

  // One device and one visitor.
  double = await emulate('udp', '--port', '0', '--scene', join(root, 'scenes/two-hands.yaml'), '--hand', 'left');
  server = await serve('scenes/two-hands.yaml', { more: ['--device', `left=udp,address=${double.address}`, '--device', 'right=page'] });
  page = await openPage(context, server.address);
  await until(async () => (await forces(page))[1] > 0.05, 'the device presses the bar from below');
  check((await forces(page))[0] < 0.05, "the visitor's hand rests until it is taken");
  await page.locator('#view').focus();
  await page.keyboard.down('ArrowDown');
  await until(async () => (await forces(page))[0] > 0.1, 'the visitor presses from above');
  await page.keyboard.up('ArrowDown');
  const [visitor, device] = await forces(page);
  check(await holding(page), `device and visitor feel the bar at once: ${device.toFixed(2)} and ${visitor.toFixed(2)} N`);
  await shot(page, 'device-and-visitor');
  await server.stop();
  said = await double.stop();
  check(/last 0\.000 N, 0 not finite, motors off/.test(said), 'and the device was left with zero force');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
} finally {
  await context.close();
}
