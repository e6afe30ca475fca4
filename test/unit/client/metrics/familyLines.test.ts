import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { besideLine, familyLines, isFamilyLine } from '../../../../client/metrics/familyLines';
import { ROLES } from '../../../../server/metrics/scrape/families';
import { MOST_HOVER_LINES } from '../../../../server/protocol/metrics';

const scrape = readFileSync(join(import.meta.dirname, '../../../cli/scrapes/1.33.txt'), 'utf8');

describe('lines that tell of lists', () => {
  it('are those of every metric that is read', () => {
    for (const [name, role] of ROLES) {
      const isOther = role === 'start' || role === 'build';
      expect(isFamilyLine(`${name}{resource="x"} 1`), name).toBe(!isOther);
    }
    expect(isFamilyLine('etcd_request_duration_seconds_bucket{le="1"} 2')).toBe(true);
    for (const other of [
      'up 1',
      '# TYPE etcd_requests_total counter',
      'etcd_bookmark_counts 1',
      '',
    ]) {
      expect(isFamilyLine(other), other).toBe(false);
    }
    expect(isFamilyLine(`etcd_requests_total{a="${'x'.repeat(10_000)}"} 1`)).toBe(false);
  });

  it('are found with their numbers, whatever breaks lines', () => {
    const expected = scrape
      .split('\n')
      .flatMap((text, line) => (isFamilyLine(text) ? [{ text, line }] : []));
    expect(expected.length).toBeGreaterThan(20);
    expect(familyLines(scrape)).toEqual(expected);
    expect(familyLines(scrape.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(familyLines('')).toEqual([]);
  });

  it('of tens of megabytes are found in one go', () => {
    const large = 'apiserver_request_total{verb="LIST",code="200"} 1\n'.repeat(700_000) + scrape;
    const started = performance.now();
    const found = familyLines(large);
    process.stdout.write(
      `lines of ${(large.length / 1e6).toFixed(0)} MB in ${(performance.now() - started).toFixed(0)} ms\n`,
    );
    expect(found[0]?.line).toBe(familyLines(scrape)[0]!.line + 700_000);
  });
});

describe('the lines beside one', () => {
  const lines = familyLines(scrape);

  it('are those of the same resource, under whatever label it stands', () => {
    const at = lines.find(({ text }) =>
      text.includes('fetched_objects_total{resource="pods"'),
    )!.line;
    const beside = besideLine(lines, at)!;
    expect(beside.lines[beside.index]).toContain('fetched_objects_total{resource="pods"');
    expect(beside.lines.every((text) => text.includes('="pods"'))).toBe(true);
    expect(beside.lines.some((text) => text.includes('type="pods"'))).toBe(true);
  });

  it('are none of a line that is none, or names no resource', () => {
    expect(besideLine(lines, 0)).toBeUndefined();
    expect(besideLine(familyLines('etcd_requests_total 5\n'), 0)).toBeUndefined();
  });

  it('are those around it where there are very many', () => {
    const many = familyLines('etcd_requests_total{resource="x"} 1\n'.repeat(10_000));
    const { lines: taken, index } = besideLine(many, 7000)!;
    expect([taken.length, index]).toEqual([MOST_HOVER_LINES, MOST_HOVER_LINES / 2]);
  });
});
