// A body with 20 480 triangles: every picture that the page draws shows a newer state. How many states come and how many
// pictures are drawn is printed, not judged: here a processor draws, and other work goes on beside.
import { browser, check, openPage, serve, shots, until } from './browser.mjs';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

const scene = join(shots, 'fine-ball.yaml');
// It hangs from its top and swings: every vertex moves in every step.
writeFileSync(scene, `dt: 0.008
contact: {mu: 0.4, alarmDistance: 0.005}
bodies:
  ball:
    model: corotational
    mesh: {generator: sphere, radius: 0.05, cellsAcross: 6}
    surface: {generator: icosphere, radius: 0.05, subdivisions: 5}
    youngModulus: 2e4
    fixed: [{box: [[-1, -1, 0.03], [1, 1, 1]]}]
`);
const context = await browser();
const server = await serve(scene);
try {
  const page = await openPage(context, server.address);
  const figures = () =>
    page.evaluate(() => {
      const { frames, pictures, step } = document.querySelector('#view').dataset;
      return { frames: Number(frames), pictures: Number(pictures), step: Number(step), at: performance.now() };
    });
  await until(async () => (await figures()).pictures > 0, 'the first picture');
  const calls = page.evaluate(
    () =>
      new Promise((resolve) => {
        let count = 0;
        const begin = performance.now();
        const tick = (now) => (now - begin > 8000 ? resolve((1000 * count) / (now - begin)) : (++count, requestAnimationFrame(tick)));
        requestAnimationFrame(tick);
      }),
  );
  const before = await figures();
  const rate = await calls;
  const after = await figures();
  const seconds = (after.at - before.at) / 1000;
  const states = after.frames - before.frames;
  const pictures = after.pictures - before.pictures;
  console.log(`20 480 triangles: ${(states / seconds).toFixed(1)} states/s came, ${(pictures / seconds).toFixed(1)} pictures/s drawn, ${rate.toFixed(1)} animation frames/s`);
  check(pictures > 0 && after.step > before.step, 'it moves');
  check(states >= pictures - 2, 'every picture shows a newer state');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
} finally {
  await context.close();
  await server.stop();
}
