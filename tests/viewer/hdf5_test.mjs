// A recording of palp run opens in the same page: contacts, forces and all plots are there, and it can be scrubbed.
import { browser, check, force, openPage, palp, serve, shot, shots, until } from './browser.mjs';
import { join } from 'node:path';

const file = join(shots, 'snap-in.h5');
palp('run', 'scenes/snap-in.yaml', '--record', file);
const context = await browser();
const server = await serve(file);
try {
  const page = await openPage(context, server.address);
  await until(() => page.locator('#timeline').isVisible(), 'the recording opens');
  check((await page.locator('#note').isHidden()) && (await page.getByRole('alert').isHidden()), 'computed again bit for bit: no note');
  const scrub = page.getByRole('slider', { name: 'Time in the recording' });
  const last = Number(await scrub.getAttribute('max'));
  check(last > 50, `${last + 1} pictures`);
  const seek = (at) => scrub.evaluate((s, v) => { s.value = String(v); s.dispatchEvent(new Event('input')); }, at);
  const told = (name) => page.evaluate((n) => Number(document.querySelector('#view').dataset[n] ?? 0), name);

  // All plots open: in each, something is drawn.
  while (await page.locator('#panel details:not([open])').count()) await page.locator('#panel details:not([open]) > summary').first().click();
  let most = { at: 0, touching: 0 };
  const forces = [];
  for (let at = 0; at <= last; at += Math.max(1, Math.floor(last / 25))) {
    await seek(at);
    await page.waitForTimeout(100);
    forces.push(await force(page));
    const touching = await told('touching');
    if (touching > most.touching) most = { at, touching };
  }
  check(most.touching > 0, `${most.touching} contacts touch in picture ${most.at}`);
  check(Math.max(...forces) > 5 && forces[0] < 1, `the force goes from ${forces[0].toFixed(1)} to ${Math.max(...forces).toFixed(1)} N`);
  await seek(most.at);
  await page.waitForTimeout(1500);
  const inks = await page.evaluate(() =>
    [...document.querySelectorAll('#plots details')].map((plot) => {
      const canvas = plot.querySelector('canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let coloured = 0; // lines have colours, axes and grid are grey
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] > 128 && Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60) ++coloured;
      return { title: plot.querySelector('summary').textContent, coloured };
    }),
  );
  for (const { title, coloured } of inks) check(coloured > 50, `${title}: drawn (${coloured} coloured pixels)`);
  check(/contacts/.test(await page.textContent('#delassus-text')), 'the Delassus operator is drawn');
  // Stress and pressure are computed again, too; nobody is asked for them.
  for (const [of, unit] of [['stress', 'Pa'], ['pressure', 'Pa'], ['strain', '%']]) {
    await page.getByRole('combobox', { name: 'Colour of the bodies' }).selectOption(of);
    await until(async () => (await page.textContent('#scale-caption')).includes(unit), `${of}: the legend has a unit`);
  }
  check(await page.getByRole('alert').isHidden(), 'nothing was refused');
  await shot(page, 'hdf5');

  // Nobody moves the hand of a recording.
  await page.locator('#view').focus();
  await page.keyboard.press('ArrowDown');
  check((await page.getAttribute('#view', 'data-holding')) !== 'true', 'the hand cannot be taken');
  await page.getByRole('button', { name: 'Play' }).click();
  const begin = await page.textContent('#scrub-time');
  await until(async () => (await page.textContent('#scrub-time')) !== begin, 'it plays');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);
} finally {
  await context.close();
  await server.stop();
}
