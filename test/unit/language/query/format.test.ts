import { describe, expect, it } from 'vitest';
import { withEdits } from '../../../../server/language/source/edits';
import { open } from './support';

function format(text: string): string {
  return withEdits(text, open(text).format());
}

describe('formatting', () => {
  it.each([
    ['', ''],
    ['\n\n', ''],
    ['  list pods', 'list pods\n'],
    ['\n\nlist pods  \n\n\n', 'list pods\n'],
    ['###a\nlist pods\n####\tb  \nlist nodes', '### a\n\nlist pods\n\n#### b\n\nlist nodes\n'],
    ['list pods\n\n\n\n###\n\n\n\nlist nodes\n', 'list pods\n\n###\n\nlist nodes\n'],
    ['#@name   a\n  # c  \nlist pods\n', '# @name a\n# c\nlist pods\n'],
    ['list   pods\t-n  web   -l  "a  b"\n', 'list pods -n web -l "a  b"\n'],
    ['list pods   # all\n', 'list pods # all\n'],
    ['list pods \\\n-n web\\\n      \\\n-A\n', 'list pods \\\n    -n web \\\n    -A\n'],
    ['list po\\\nds   -A\n', 'list po\\\nds -A\n'],
    ['list pods \\\n\n\n###\n', 'list pods\n\n###\n'],
    ['list pods \\\n###\n', 'list pods\n\n###\n'],
    ['list pods \\', 'list pods\n'],
    ['list pods \\\n#@name a\n', 'list pods\n# @name a\n'],
    ["list pods -l 'a   \n", "list pods -l 'a\n"],
    ['list a\\ \n', 'list a\\ \n'],
    [
      'GET    /api/v1/pods  \n ?limit=5 \n\t\t&watch=0\nAccept: x  \n',
      'GET /api/v1/pods\n    ?limit=5\n    &watch=0\nAccept: x\n',
    ],
    ['GET /api/v1/pods\n\n\n  ?limit=5\n', 'GET /api/v1/pods\n\n?limit=5\n'],
    ['list pods\r\n\r\n\r\n\r\n###\r\n', 'list pods\r\n\r\n###\r\n'],
    ['\ufeff\nlist  pods', '\ufefflist pods\n'],
    ['foo   bar\n', 'foo   bar\n'],
    ['\r\nlist po\\\nds\n', 'list po\\\r\nds\r\n'],
    ['\r\nGET /a\n    ?b\n', 'GET /a\r\n    ?b\r\n'],
    ['\n \ufefffoo\n', '\n\ufefffoo\n'],
  ])('of %j', (text, expected) => {
    expect(format(text)).toBe(expected);
    expect(format(expected)).toBe(expected);
  });

  it('leaves YAML to others', () => {
    expect(open('resource:   pods', {}, true).format()).toEqual([]);
  });
});
