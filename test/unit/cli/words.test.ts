import { describe, expect, it } from 'vitest';
import { caretLines, placeText } from '../../../server/cli/caret';
import { CliError, StoppedError } from '../../../server/cli/exit';
import { editDistance, nearest } from '../../../server/common/nearest';
import { clipped, shortened } from '../../../server/cli/output/text';
import { textWidth } from '../../../server/cli/output/width';
import {
  parseDuration,
  parseSize,
  printAge,
  printSize,
  thousands,
} from '../../../server/cli/quantities';
import { fieldSelector, labelSelector } from '../../../server/cli/selectors';
import { explain } from '../../../server/cli/sentences';
import { continueCommand, shellWord } from '../../../server/cli/shell';
import { utf8 } from '../../../server/common/bytes';
import { ConnectionConfigError } from '../../../server/etcd/configError';
import { EtcdError } from '../../../server/etcd/errors';
import { StoreError, type StoreErrorCode } from '../../../server/store/errors';

describe('a long sentence', () => {
  it('keeps its beginning and its end', () => {
    const text = `Invalid value: "${'x '.repeat(5000)}": must be no more than 63 characters`;
    expect(clipped(text)).toHaveLength(1001);
    expect(clipped(text)).toMatch(
      /^Invalid value: "x x [x ]*…[x ]*": must be no more than 63 characters$/,
    );
    expect(clipped(text.slice(0, 1000))).toBe(text.slice(0, 1000));
    expect(clipped('x'.repeat(5000)).length).toBeLessThan(200);
  });
});

describe('carets', () => {
  it('stand under the place', () => {
    expect(caretLines('app=a b', { start: 6, end: 7 })).toEqual(['  app=a b', '        ^']);
  });

  it('stand at the end of the text', () => {
    expect(caretLines('a in (b', { start: 7, end: 7 })).toEqual(['  a in (b', '         ^']);
  });

  it('show the line that is to blame', () => {
    const text = 'app=a,\ntier in (b';
    expect(caretLines(text, { start: 17, end: 17 })).toEqual(['  tier in (b', '            ^']);
    expect(placeText(text, { start: 17, end: 17 })).toBe('line 2, column 11');
  });

  it('count wide characters twice', () => {
    const [line, carets] = caretLines('日本=x y', { start: 5, end: 6 });
    expect(line).toBe('  日本=x y');
    expect(carets).toBe(`  ${' '.repeat(textWidth('日本=x '))}^`);
  });

  it('fit escaped control characters', () => {
    const [line, carets] = caretLines('a\u001b=!', { start: 3, end: 4 });
    expect(line).toBe('  a\\x1b=!');
    expect(carets).toBe('        ^');
  });

  it('cut long lines around the place', () => {
    const text = `${'a'.repeat(500)}!${'b'.repeat(500)}`;
    const [line, carets] = caretLines(text, { start: 500, end: 501 });
    expect(line.length).toBeLessThan(140);
    expect(line[carets.indexOf('^')]).toBe('!');
  });

  it('cut long places too', () => {
    const text = `ab${'x'.repeat(5000)}`;
    const [line, carets] = caretLines(text, { start: 2, end: 5000 });
    expect(line).toBe(`  ab${'x'.repeat(120)}…`);
    expect(carets).toBe(`    ${'^'.repeat(120)}`);
  });

  it('never leave the text, whatever the span', () => {
    expect(caretLines('ab', { start: 99, end: 120 })).toEqual(['  ab', '    ^']);
    expect(caretLines('', { start: 0, end: 0 })).toEqual(['  ', '  ^']);
  });
});

describe('selectors', () => {
  it('are refused with flag, place, upstream text and carets', () => {
    expect(() => labelSelector('app in (a,b')).toThrow(
      "--selector is refused at column 12: unable to parse requirement: found '', expected: ',' or ')'\n" +
        '  app in (a,b\n             ^',
    );
    expect(() => fieldSelector('a', (field, value) => [field, value])).toThrow(CliError);
  });

  it('are nothing when empty', () => {
    expect(labelSelector('')).toBeUndefined();
    expect(labelSelector('app=a')?.toString()).toBe('app=a');
  });
});

describe('nearest', () => {
  it.each([
    ['pods', 'podz', 1],
    ['limit', 'lmiit', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('%s and %s are %i edits apart', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });

  it('names only what is near', () => {
    expect(nearest('--lmit', ['--limit', '--follow', '--list'])).toEqual(['--limit', '--list']);
    expect(nearest('--frobnicate', ['--limit'])).toEqual([]);
  });
});

describe('quantities', () => {
  it.each([
    [0, '0s'],
    [119_000, '119s'],
    [121_000, '2m1s'],
    [600_000, '10m'],
    [3 * 3_600_000, '3h'],
    [7 * 3_600_000 + 60_000, '7h1m'],
    [47 * 3_600_000, '47h'],
    [50 * 3_600_000, '2d2h'],
    [400 * 86_400_000, '400d'],
    [3 * 365 * 86_400_000, '3y'],
    [-5000, '<invalid>'],
  ])('an age of %i ms is %s', (ms, text) => {
    expect(printAge(ms)).toBe(text);
  });

  it('prints sizes and groups', () => {
    expect([999, 1000, 24_800_000, 999_960_000].map(printSize)).toEqual([
      '999 B',
      '1.0 kB',
      '24.8 MB',
      '1.0 GB',
    ]);
    expect([0, 999, 1000, 1234567].map(thousands)).toEqual(['0', '999', '1,000', '1,234,567']);
    expect(thousands(-1234n)).toBe('-1,234');
  });

  it('reads durations and sizes', () => {
    expect(['5s', '1m30s', '250ms', '1.5s', '0'].map((text) => parseDuration('--x', text))).toEqual(
      [5000, 90_000, 250, 1500, 0],
    );
    expect(['1', '1k', '1Ki', '2 MiB'].map((text) => parseSize('--x', text))).toEqual([
      1, 1000, 1024, 2_097_152,
    ]);
    for (const bad of ['', '5', 's', '-5s', '5s5']) {
      expect(() => parseDuration('--x', bad)).toThrow('is not a duration');
    }
    for (const bad of ['', '0', '-1', '1XB', '99999999999999999']) {
      expect(() => parseSize('--x', bad)).toThrow('is not a size');
    }
  });
});

describe('shell', () => {
  it('quotes what a shell would take apart', () => {
    expect(['a=b', 'a b', "it's", '', '$x', 'tier in (a)'].map(shellWord)).toEqual([
      'a=b',
      "'a b'",
      "'it'\\''s'",
      "''",
      "'$x'",
      "'tier in (a)'",
    ]);
  });

  it('goes on with the token and without the version', () => {
    const argv = ['get', 'pods', '-l', 'a in (b)', '--resource-version=5', '--continue', 'OLD'];
    const invocation = {
      program: 'etcd-list',
      argv: [...argv, '--resource-version-match', 'Exact'],
    };
    expect(continueCommand(invocation, 'NEW')).toBe(
      "etcd-list get pods -l 'a in (b)' --continue=NEW",
    );
  });
});

describe('sentences', () => {
  const codes: readonly (readonly [StoreErrorCode, number])[] = [
    ['badRequest', 2],
    ['plain', 2],
    ['otherHistory', 1],
    ['invalidKey', 2],
    ['expired', 3],
    ['expiredWithContinue', 3],
    ['tooLargeResourceVersion', 1],
    ['tooManyRequests', 1],
    ['cacheFull', 1],
    ['internal', 1],
    ['undecodable', 1],
    ['storeRead', 1],
    ['timeout', 1],
    ['cancelled', 130],
    ['overBudget', 1],
    ['streamUnsupported', 1],
    ['etcd', 1],
  ];

  it.each(codes)('%s exits with %i', (code, exitCode) => {
    const explained = explain(new StoreError({ code, message: 'because' }));
    expect(explained.exitCode).toBe(exitCode);
    expect(explained.text).not.toBe('');
  });

  it('names objects that were collected, ten at most, and whether the list ended with them', () => {
    const objects = Array.from({ length: 100 }, (_, i) => ({
      key: utf8(`/registry/pods/v/${i}`),
      error: new Error('bad\u001b'),
    }));
    const cause = { type: 't', message: 'm' };
    const told = (count: number, causes = count) =>
      explain(
        new StoreError({
          code: 'storeRead',
          message: 'm',
          objects: objects.slice(0, count),
          causes: Array.from({ length: causes }, () => cause),
        }),
      ).text.split('\n');
    expect(told(1)).toEqual([expect.stringMatching(/^\/registry\/pods\/v\/0 cannot be read: bad/)]);
    expect(told(11)).toHaveLength(12);
    expect(told(11)[0]).toMatch(/^11 objects cannot be read; --skip-unreadable/);
    expect(told(11)[11]).toBe('  … 1 more');
    expect(told(100, 101)[0]).toMatch(/^100 objects cannot be read, and the list ended there; /);
    expect(told(3).join('')).not.toContain('\u001b');
  });

  it('a compacted revision is 410, whoever met it', () => {
    const compacted = new EtcdError({ code: 'compacted', message: 'm', endpoint: 'a:1' });
    expect(explain(compacted).exitCode).toBe(3);
  });

  it('tells how large a watch cache would be, and became, as people read sizes', () => {
    const message =
      'the watch cache stopped: 12345 objects and 3 earlier states take about 1048576 bytes, more than its limit of 1000000';
    const sizes =
      '12,345 objects and 3 earlier states take about 1.0 MB, more than its limit of 1.0 MB';
    expect(explain(new StoreError({ code: 'cacheFull', message })).text).toContain(sizes);
    expect(explain(new StoreError({ code: 'tooManyRequests', message })).text).toContain(sizes);
  });

  it('offers the token of a 410 with the command', () => {
    const error = new StoreError({ code: 'expiredWithContinue', message: 'm', continueToken: 'T' });
    const { text } = explain(error, (token) => `etcd-list get pods --continue=${token}`);
    expect(text).toContain('continue token: T');
    expect(text).toContain('etcd-list get pods --continue=T');
  });

  it('names the key that cannot be read', () => {
    const key = utf8('/registry/pods/web/a');
    expect(explain(new StoreError({ code: 'undecodable', message: 'bad', key })).text).toBe(
      '/registry/pods/web/a cannot be read: bad; --skip-unreadable leaves such objects out and names them',
    );
  });

  it('is silent when the reader went away', () => {
    expect(explain(new StoppedError('pipe'))).toEqual({ text: '', exitCode: 0 });
    expect(explain(new StoppedError('interrupt')).exitCode).toBe(130);
    expect(explain(new StoppedError('hangUp'))).toEqual({ text: 'interrupted', exitCode: 129 });
  });

  it('words transport and configuration', () => {
    const etcd = new EtcdError({ code: 'unavailable', message: 'refused', endpoint: 'h:1' });
    expect(explain(etcd)).toMatchObject({ exitCode: 1 });
    expect(explain(etcd).text).toContain('h:1');
    expect(explain(new ConnectionConfigError('tls', 'Bad key.'))).toEqual({
      text: 'Bad key.',
      exitCode: 2,
    });
  });

  it.each([
    ['tls', 'self-signed certificate in certificate chain', '--cacert'],
    ['tls', 'unable to verify the first certificate', '--cacert'],
    ['tls', 'tlsv13 alert certificate required', '--cert and --key'],
    ['tls', 'wrong version number', 'http:// instead of https://'],
    ['tls', "Hostname/IP does not match certificate's altnames", 'name or address'],
    ['unavailable', 'closed before HTTP/2 began; perhaps it expects TLS, so https://', '=false'],
  ] as const)('says what helps when %s is %s', (code, message, remedy) => {
    expect(explain(new EtcdError({ code, message, endpoint: 'h:1' })).text).toContain(remedy);
  });

  it('knows no remedy for what it does not know', () => {
    const text = explain(new EtcdError({ code: 'tls', message: 'odd', endpoint: 'h:1' })).text;
    expect(text).not.toContain('--');
  });

  it('gives sizes as people read them', () => {
    const message =
      'reading 30000 keys at once would be about 81234567 bytes, more than the byte budget of 20000000';
    expect(explain(new StoreError({ code: 'overBudget', message })).text).toContain(
      'reading 30,000 keys at once would be about 81.2 MB, more than the byte budget of 20.0 MB: ',
    );
    const came = 'Received message larger than max (81234567 vs. 20000000)';
    const cause = new EtcdError({ code: 'replyTooLarge', message: came, endpoint: 'h:1' });
    expect(explain(new StoreError({ code: 'overBudget', message: came, cause })).text).toContain(
      'larger than the byte budget (81.2 MB, and 20.0 MB are allowed): ',
    );
  });

  it('shortens words that are longer than any key, and no other', () => {
    const key = `/registry/${'k'.repeat(380)}`;
    expect(shortened(`a ${key} b`)).toBe(`a ${key} b`);
    const [first = '', long = '', last = ''] = shortened(`a begin${'x'.repeat(9999)}end b`).split(
      ' ',
    );
    expect([first, last, long.startsWith('begin'), long.endsWith('end')]).toEqual([
      'a',
      'b',
      true,
      true,
    ]);
    expect(long.length).toBeLessThan(130);
  });

  it('never shows a stack or a control character of what is unforeseen', () => {
    for (const thrown of [new TypeError('x\u001b[2J\nat y'), 'text', undefined, null, 5, {}]) {
      const { text, exitCode } = explain(thrown);
      expect(exitCode).toBe(1);
      expect(text).toMatch(/^something unforeseen went wrong: /);
      expect(text).not.toMatch(/\p{Cc}/u);
    }
    const full = Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC', syscall: 'write' });
    expect(explain(full).text).toBe('cannot write to standard output: no space left');
  });
});
