import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../server/protocol/model';
import { arrange, type Column, type Sort } from '../../../webview/arrange';
import { RowModel } from '../../../webview/rowModel';
import * as data from '../support/data';

function arranged(rows: readonly Row[], filter: string, sort: Sort | null) {
  const work = arrange(rows, filter, sort);
  let steps = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) steps += 1;
  return { order: step.value, steps };
}

const names = (model: RowModel): string[] => Array.from(model.shown(), ({ name }) => name);

describe('the order of rows', () => {
  it('is the list’s own without filter and sort', () => {
    expect(arranged(data.rows(0, 3), '', null).order).toBeNull();
  });

  it('is sorted stably, as a sort of the whole would be', () => {
    const columns: readonly Column[] = ['namespace', 'name', 'labels', 'age', 'version', 'size'];
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 40 }), { maxLength: 300 }),
        fc.constantFrom(...columns),
        fc.boolean(),
        (numbers, column, descending) => {
          const rows = numbers.map((number) => data.row(number));
          const key = (row: Row): string | number =>
            column === 'age'
              ? -Date.parse(row.created)
              : column === 'version'
                ? Number(row.version)
                : column === 'labels'
                  ? row.labels.map((label) => label.join('=')).join(',')
                  : row[column];
          const sign = descending ? -1 : 1;
          const expected = rows
            .map((row, index) => ({ index, value: key(row) }))
            .sort(
              (a, b) =>
                sign * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) || a.index - b.index,
            )
            .map(({ index }) => index);
          expect(Array.from(arranged(rows, '', { column, descending }).order ?? [])).toEqual(
            expected,
          );
        },
      ),
    );
  });

  it('compares versions above 2^53 by value', () => {
    const versions = ['9007199254740993', '9007199254740992', '99'];
    const rows = versions.map((version, index) => data.row(index, { version }));
    const { order } = arranged(rows, '', { column: 'version', descending: false });
    expect(Array.from(order ?? [])).toEqual([2, 1, 0]);
  });

  it('holds what namespace, name or label have, without regard to case', () => {
    const rows = [
      data.row(0),
      data.row(1, { name: 'Other' }),
      data.row(2, { labels: [['x', 'OTHER']] }),
    ];
    expect(Array.from(arranged(rows, 'oTHer', null).order ?? [])).toEqual([1, 2]);
  });

  it('is found in small steps', () => {
    const { steps } = arranged(data.rows(0, 50_000), 'nginx', { column: 'name', descending: true });
    expect(steps).toBeGreaterThan(100);
  });
});

describe('positions in the grid', () => {
  it('have a divider before the later snapshot, also when filtered', () => {
    const model = new RowModel();
    model.append(data.rows(0, 4), '');
    model.setSnapshots([{ at: 2, revision: '9', before: '4' }]);
    expect(model.length).toBe(5);
    expect(model.at(2)).toEqual({ kind: 'divider', revision: '9' });
    expect(model.at(3)).toMatchObject({ kind: 'row', later: true, row: { name: 'nginx-000002' } });
    model.setOrder(Uint32Array.of(0, 3), 4, '', true);
    expect(model.at(1)).toMatchObject({ kind: 'divider' });
    expect(model.at(2)).toMatchObject({ later: true });
    model.setOrder(Uint32Array.of(3, 0), 4, '', false);
    expect(model.length).toBe(2);
    expect(model.at(0)).toMatchObject({ later: true, revision: '9' });
    expect(model.at(1)).toMatchObject({ later: false, revision: null });
  });

  it('take new rows at the end, through the filter', () => {
    const model = new RowModel();
    model.append(data.rows(0, 2), '');
    model.setOrder(Uint32Array.of(1, 0), 2, '1', false);
    model.append(data.rows(10, 2), '1');
    expect(names(model)).toEqual(['nginx-000001', 'nginx-000000', 'nginx-000010', 'nginx-000011']);
    expect(model.at(9)).toBeUndefined();
  });
});
