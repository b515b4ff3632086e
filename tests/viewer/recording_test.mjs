// What is recorded can be downloaded, opened and scrubbed; the page comes back when the server does.
import { browser, check, openPage, serve, shot, shots, until } from './browser.mjs';
import { join } from 'node:path';
import { statSync } from 'node:fs';

const context = await browser();
let server = await serve('scenes/falling-ball.yaml');
try {
  const page = await openPage(context, server.address);
  const step = () => page.evaluate(() => Number(document.querySelector('#view').dataset.step));
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.waitForTimeout(2500);
  await page.getByRole('button', { name: 'Stop' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
  const file = join(shots, 'recording.palp');
  await download.saveAs(file);
  check(statSync(file).size > 10000, `a recording was downloaded (${statSync(file).size} bytes)`);
  const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Picture' }).click()]);
  await picture.saveAs(join(shots, 'picture-button.png'));
  check(statSync(join(shots, 'picture-button.png')).size > 2000, 'the picture button gives a picture');

  await page.locator('#file').setInputFiles(file);
  await until(() => page.locator('#timeline').isVisible(), 'the recording opens');
  const scrub = page.getByRole('slider', { name: 'Time in the recording' });
  const seen = async (share) => {
    await scrub.evaluate((s, at) => {
      s.value = String(Math.round(at * Number(s.max)));
      s.dispatchEvent(new Event('input'));
    }, share);
    // Drawn when nothing changes any more: a busy machine draws late.
    let picture = '', same = 0;
    await until(async () => {
      await page.waitForTimeout(200);
      const now = (await page.locator('#view').screenshot()).toString('base64');
      same = now === picture ? same + 1 : 0;
      picture = now;
      return same >= 3;
    }, `the instant ${share} is drawn`);
    return { time: parseFloat(await page.textContent('#scrub-time')), picture };
  };
  const begin = await seen(0);
  const middle = await seen(0.5);
  const end = await seen(1);
  await shot(page, 'recording');
  check(begin.time < middle.time && middle.time < end.time, `time goes on: ${begin.time} ${middle.time} ${end.time}`);
  check(begin.picture !== end.picture, 'the pictures differ');
  const again = await seen(0);
  check(again.picture === begin.picture, 'the same instant looks the same');
  await page.getByRole('button', { name: 'Back to live' }).click();
  const live = await step();
  await until(async () => (await step()) !== live, 'the live simulation is shown again');

  // A file that is none is told, and nothing breaks.
  await page.locator('#file').setInputFiles({ name: 'x.palp', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await until(() => page.getByRole('alert').isVisible(), 'a file that is no recording is told');
  check(page.problems.length === 0, `no errors ${page.problems.join('; ')}`);

  const { port } = server;
  await server.stop();
  await until(async () => (await page.getAttribute('#status', 'data-state')) === 'lost', 'the page tells that the server is gone');
  await shot(page, 'server-gone');
  server = await serve('scenes/falling-ball.yaml', { port });
  await until(async () => (await page.getAttribute('#status', 'data-state')) === 'live', 'the page comes back');
  const back = await step();
  await until(async () => (await step()) !== back, 'and moves');
  check(true, 'the page recovers when the server restarts');
} finally {
  await context.close();
  await server.stop();
}
