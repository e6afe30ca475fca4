import { describe, expect, it } from 'vitest';
import { compareYamlKeys, jsonMembers } from '../../../server/kube/print/order';
import { printJson } from '../../../server/kube/print/printable';
import { yamlText } from '../../../server/kube/print/encode';

describe("kubectl's order of members", () => {
  it('in YAML counts numbers in names', () => {
    const sorted = ['', '_a', '9', '10', 'B', 'a9', 'a10', 'a010', 'ab', 'z', 'é'];
    const again = [...sorted].reverse().sort(compareYamlKeys);
    expect(again).toEqual(['', '_a', '9', '10', 'B', 'a9', 'a10', 'a010', 'ab', 'z', 'é']);
    expect(compareYamlKeys('a1', 'a1')).toBe(0);
    expect(compareYamlKeys('9'.repeat(30), '1'.repeat(30))).not.toBe(0);
  });

  it('in JSON is that of the bytes', () => {
    const object = { b: 1, '10': 1, '9': 1, '\u{1f600}': 1, '\uffee': 1, B: 1 };
    const names = jsonMembers(object, 'kubectl').map(([name]) => name);
    expect(names).toEqual(['10', '9', 'B', 'b', '\uffee', '\u{1f600}']);
  });

  it('leaves fields by number in theirs', () => {
    const value = { 'x-undecoded': { '9': 1, '10': { b: 1, a: 1 } }, a: { '9': 1, '10': 1 } };
    expect(printJson(value, 0, 'kubectl')).toBe(
      '{"a":{"10":1,"9":1},"x-undecoded":{"9":1,"10":{"b":1,"a":1}}}',
    );
    expect(printJson({ b: 1, a: 1 }, 0)).toBe('{"b":1,"a":1}');
  });

  it('quotes numbers with underscores in odd places', () => {
    expect(yamlText(['-_0', '_1', '0x_f', '1_a'])).toBe('- "-_0"\n- "_1"\n- "0x_f"\n- 1_a\n');
  });

  it('quotes what merges maps, and texts that begin with a blank line', () => {
    expect(yamlText({ '<<': '<<', a: ' \n' }, 'kubectl')).toBe('"<<": "<<"\na: "\\ \\n"\n');
  });
});
