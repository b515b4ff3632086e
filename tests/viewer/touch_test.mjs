// Dragging the tool with the mouse presses the clip on the pipe: the force rises, the clip snaps, and at release
// nothing pulls any more. Keys move it too; sliders act.
import { browser, check, force, openPage, serve, shot, toolAt, until } from './browser.mjs';

const context = await browser();
const server = await serve('scenes/snap-in.yaml', { more: ['--paused'] });
try {
  const page = await openPage(context, server.address);
  await page.getByRole('button', { name: 'Play' }).click();

  // Press the handle and pull it towards the pipe, slowly, until it is on.
  const start = await toolAt(page);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await until(() => page.evaluate(() => document.querySelector('#view').dataset.holding === 'true'), 'the tool is held');
  await until(async () => (await force(page)) < 1, 'in the air there is almost no force');
  check(true, 'the tool is held; in the air there is almost no force');
  const felt = [];
  let highest = { force: 0 };
  let snapped = false;
  for (let way = 0; way <= 360 && !snapped; way += 4) {
    await page.mouse.move(start.x, start.y + way);
    await page.waitForTimeout(60);
    const now = { way, force: await force(page), y: (await toolAt(page)).y };
    felt.push(now);
    snapped = highest.force > 8 && now.force < 0.6 * highest.force;
    if (now.force > highest.force) {
      highest = now;
      if (now.force > 5) await shot(page, 'touch-push');
    }
  }
  console.log(felt.map((f) => `${f.way}px ${f.force.toFixed(1)}N`).join('  '));
  check(highest.force > 5, 'the force rises when the clip meets the pipe');
  check(snapped, `the clip snaps: the force falls from ${highest.force.toFixed(1)} N while the hand goes on`);
  const plotted = await page.locator('#plots details').first().locator('canvas').isVisible();
  check(plotted, 'the force is plotted');
  await shot(page, 'touch-held');

  await page.mouse.up();
  await until(async () => (await force(page)) < 0.5, 'the force is gone after release');
  check(true, 'the force is gone after release');
  await shot(page, 'touch-released');

  // The arrow keys take the tool and lift it.
  await page.locator('#view').focus();
  await page.keyboard.down('ArrowUp');
  await until(async () => (await force(page)) > 2, 'the up key pulls at the clip');
  check(true, 'the up key pulls at the clip');
  await page.keyboard.up('ArrowUp');
  await page.keyboard.press('Escape');
  await until(async () => (await force(page)) < 0.5, 'Escape lets go');

  // Sliders: the value is told to the server, which tells every viewer.
  const other = await openPage(context, server.address);
  const friction = page.locator('#sliders input[data-kind=friction]').first();
  await friction.focus();
  for (let k = 0; k < 5; ++k) await page.keyboard.press('PageUp');
  const value = await page.locator('#sliders output').first().textContent();
  await until(async () => (await other.locator('#sliders output').first().textContent()) === value, 'another page shows the new friction');
  check(value !== 'µ 0.2', `the friction slider acts: ${value}`);
  check(page.problems.length + other.problems.length === 0, `no errors ${page.problems.join('; ')}`);
} finally {
  await context.close();
  await server.stop();
}
