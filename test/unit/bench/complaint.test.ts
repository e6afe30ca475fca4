import { describe, expect, it } from 'vitest';
import { lastComplaint } from '../../bench/complaint';

const warning = '{"level":"warn","msg":"retrying of unary invoker failed","error":"canceled"}';
const full =
  '{"level":"fatal","msg":"failed to commit","error":"write wal: no space left on device","stacktrace":"main\\n\\tmain.go:1"}';

describe('of what a process said before it ended', () => {
  it.each([
    [
      'a fatal line between warnings',
      [warning, full, warning],
      'failed to commit: write wal: no space left on device',
    ],
    [
      'a panic before its trace',
      [
        warning,
        'panic: out of luck',
        '',
        'goroutine 1 [running]:',
        'main.main()',
        '\t/main.go:7 +0x1',
      ],
      'panic: out of luck',
    ],
    [
      'a thrown error',
      [
        '/x/side.cjs:7',
        "    throw new Error('no')",
        '    ^',
        '',
        'Error: no',
        '    at main (/x/side.cjs:7)',
        '',
        'Node.js v20',
      ],
      'Error: no',
    ],
    ['a plain line', ['flag provided but not defined: -x'], 'flag provided but not defined: -x'],
    ['the last complaint', ['panic: one', 'panic: two'], 'panic: two'],
  ])('the reason is %s', (_, lines, reason) => {
    expect(lastComplaint(lines.join('\n'))).toBe(reason);
  });

  it('there is none where it only warned, or said nothing', () => {
    expect(lastComplaint(`${warning}\n${warning}\n`)).toBeUndefined();
    expect(lastComplaint('')).toBeUndefined();
  });

  it('the reason is short', () => {
    expect(lastComplaint('x'.repeat(5000))).toHaveLength(300);
  });
});
