/** Differences that were found and mended: their plans are played again, and their list is true. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { etcdMissing } from '../support/etcdServer';
import { Cluster } from './cluster';
import { Court } from './court';
import { tell } from './enough';
import { Referee } from './match';
import { oracleMissing } from './oracle';
import { planFrom } from './replay';

const folder = join(import.meta.dirname, 'kept');
const names = readdirSync(folder).sort();

const page = resolve(import.meta.dirname, '../../docs/referee.md');
const text = readFileSync(page, 'utf8');
/** The rows of the table of differences. */
const rows = text
  .slice(text.indexOf('## What it found'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:What|-)/.test(line));

const linksOf = (markdown: string): string[] =>
  [...markdown.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path!);

describe('docs/referee.md', () => {
  it('links to files that are there', () => {
    const links = linksOf(text);
    expect(links.length).toBeGreaterThan(rows.length);
    const missing = links.filter((path) => !existsSync(join(dirname(page), path)));
    expect(missing).toEqual([]);
  });

  it('names for each difference what keeps it', () => {
    expect(rows.length).toBeGreaterThanOrEqual(7);
    expect(rows.filter((row) => linksOf(row).length === 0)).toEqual([]);
  });

  it('names tests that are there', () => {
    const named = rows.flatMap((row) =>
      [...row.matchAll(/\]\(([^)]+)\) “([^”]+)”/g)].map(
        ([, path, test]) => [path!, test!] as const,
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    const missing = named.filter(
      ([path, test]) => !readFileSync(join(dirname(page), path), 'utf8').includes(test),
    );
    expect(missing).toEqual([]);
  });

  it('lists every plan that is kept', () => {
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !rows.some((row) => row.includes(`kept/${name}`)))).toEqual([]);
  });
});

describe.skipIf(oracleMissing() || etcdMissing('3.7'))('what differed once is alike', () => {
  let court: Court;
  beforeAll(async () => {
    court = await Court.open('3.7');
    return () => court.close();
  });

  it.each(names)('%s', async (name) => {
    const { plan } = await planFrom(join(folder, name));
    const referee = new Referee(court.oracle, court.engine);
    await new Cluster(referee, plan, `kept${String(names.indexOf(name))}`).play();
    const { total } = referee.tally;
    expect(total).toBeGreaterThanOrEqual(plan.steps.length);
  });

  it('counts among what a run compared', (context) => {
    tell(context, 'kept plans', names.length);
  });
});
