// WebXR controllers, in a browser with a fake headset: one presses the clip on the pipe and feels it, two hold two hands.
import { fileURLToPath } from 'node:url';
import { browser, check, drawn, force, openPage, serve, shot, until } from './browser.mjs';

const context = await browser();
await context.addInitScript({ path: fileURLToPath(new URL('fake_headset.js', import.meta.url)) });
const fake = (page, what, ...more) => page.evaluate(([w, m]) => window.fakeHeadset[w](...m), [what, more]);
const sent = (page) => page.evaluate(() => window.fakeHeadset.holds);

async function enter(page) {
  await page.getByRole('button', { name: 'VR' }).click();
  await until(() => page.evaluate(() => window.fakeHeadset.session?.renderState.baseLayer), 'the headset shows something');
  await drawn(page);
  check(true, 'pictures are drawn for the headset');
  await page.waitForTimeout(300); // the controllers are told of a moment later
}

let server = null;
try {
  server = await serve('scenes/snap-in.yaml', { more: ['--device', 'hand=page'] });
  let page = await openPage(context, server.address);
  await enter(page);
  await fake(page, 'event', 0, 'selectstart');
  await until(async () => (await sent(page)).length > 0, 'the trigger takes the hand');
  const start = (await sent(page))[0];
  check(start.device === 0 && Math.abs(start.p[1] - 0.06) < 1e-3, `it is taken where it rests: ${start.p}`);

  // Downwards, as the clip has to go, until it is on.
  const felt = [];
  let highest = 0;
  let snapped = false;
  for (let way = 0; way < 0.5 && !snapped; way += 0.005) {
    await fake(page, 'move', 0, 0, -0.005, 0);
    await page.waitForTimeout(60);
    felt.push(await force(page));
    snapped = highest > 8 && felt.at(-1) < 0.6 * highest;
    if (felt.at(-1) > highest) highest = felt.at(-1);
    if (felt.length === 40) await shot(page, 'headset-push');
  }
  console.log(felt.map((f) => f.toFixed(1)).join(' '));
  check(highest > 5, `the force rises when the clip meets the pipe: ${highest.toFixed(1)} N`);
  check(snapped, 'the clip snaps on');
  await shot(page, 'headset-snapped');
  const way = (await sent(page)).at(-1).p.map((v, k) => v - start.p[k]);
  check(way[1] < -0.02 && Math.hypot(way[0], way[2]) < 1e-3, `down is down in the scene: ${way}`);
  const pulses = await page.evaluate(() => window.fakeHeadset.pulses);
  check(pulses.length > 3 && pulses.every((p) => p.number === 0 && p.value > 0 && p.value <= 1), 'the force shakes that controller');

  await fake(page, 'event', 0, 'squeezestart');
  await until(async () => (await sent(page)).at(-1).b === 1, 'squeezing is the button');
  check(true, 'squeezing is the button');
  await fake(page, 'event', 0, 'selectend');
  await until(async () => (await sent(page)).at(-1).cmd === 'release', 'the hand is let go');
  await until(async () => (await force(page)) < 0.5, 'the force is gone after release');
  check(true, 'the force is gone after release');
  await page.evaluate(() => window.fakeHeadset.session.end());
  await page.waitForTimeout(500);
  await page.locator('#frame').click();
  await shot(page, 'headset-after');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
  await page.close();
  await server.stop();
  server = null;

  // Each controller takes the hand that is nearest to it.
  server = await serve('scenes/two-hands.yaml', { more: ['--device', 'left=page', '--device', 'right=page'] });
  page = await openPage(context, server.address);
  await enter(page);
  for (const number of [0, 1]) await fake(page, 'event', number, 'selectstart');
  await until(async () => new Set((await sent(page)).map((m) => m.device)).size === 2, 'two controllers hold two hands');
  check(true, 'two controllers hold two hands');
  await fake(page, 'move', 0, 0, 0.05, 0);
  await fake(page, 'move', 1, 0, -0.05, 0);
  await page.waitForTimeout(500);
  await shot(page, 'headset-two');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
} finally {
  await context.close();
  await server?.stop();
}
