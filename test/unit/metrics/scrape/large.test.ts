/** A scrape of tens of megabytes: what it takes is printed, and that it holds nobody up is held. */
import { expect, it } from 'vitest';
import { readScrape } from '../../../../server/metrics/scrape/read';
import { systemClock } from '../../../../server/common/clock';
import { DEPLOYMENTS, PODS, textOf } from './texts';

const MEGABYTES = 50;

/** Lines of histograms, as most of a large server's scrape is, with the lists' own in the middle. */
function* pieces(): Generator<string> {
  const line = (n: number): string =>
    `apiserver_request_duration_seconds_bucket{component="apiserver",dry_run="",group="apps",resource="r${n}",scope="cluster",subresource="",verb="LIST",version="v1",le="${n % 50}"} ${n}\n`;
  let written = 0;
  let isTold = false;
  for (let n = 0; written < MEGABYTES * 1e6;) {
    let piece = '';
    while (piece.length < 64 * 1024) piece += line(n++);
    written += piece.length;
    yield piece;
    if (isTold || written < MEGABYTES * 5e5) continue;
    isTold = true;
    yield textOf('storage', [PODS, DEPLOYMENTS]);
  }
}

it(`of ${MEGABYTES} MB`, { timeout: 120_000 }, async () => {
  const { signal } = new AbortController();
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const before = process.memoryUsage().heapUsed;
  const started = performance.now();
  const scrape = await readScrape('large', pieces(), { clock: systemClock, signal });
  const seconds = (performance.now() - started) / 1000;
  clearInterval(counting);
  const grown = (process.memoryUsage().heapUsed - before) / 1e6;
  process.stdout.write(
    `read ${MEGABYTES} MB, ${scrape.lines} lines in ${seconds.toFixed(2)} s; the heap is ${grown.toFixed(0)} MB larger, others had ${turns} turns\n`,
  );
  expect([scrape.kept, scrape.faultCount]).toEqual([12, 0]);
  expect(scrape.others).toBeGreaterThan(250_000);
  expect(turns).toBeGreaterThan(1);
});

it('stops at once', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  function* endless(): Generator<string> {
    for (let n = 0; ; n++) {
      if (n === 3) stop.abort(reason);
      yield 'up 1\n';
    }
  }
  const reading = readScrape('x', endless(), { clock: systemClock, signal: stop.signal });
  await expect(reading).rejects.toBe(reason);
});
