import { describe, expect, it } from 'vitest';
import { YamlFile } from '../../../../server/language/yaml/yamlFile';
import { fixed, found, selects, sites } from './look';

const words = (sign: string): string =>
  `A shell takes ${sign} for itself: put the selector into single quotes.`;

describe('a selector of a command that a shell takes apart', () => {
  it.each([
    ['run: kubectl get pods -l app in (a,b)\n', "run: kubectl get pods -l 'app in (a,b)'\n"],
    [
      'run: "kubectl get pods -l app notin (a) -A"\n',
      `run: "kubectl get pods -l 'app notin (a)' -A"\n`,
    ],
    [
      'run: "kubectl get pods -l app in (a,b),x=y -A"\n',
      `run: "kubectl get pods -l 'app in (a,b),x=y' -A"\n`,
    ],
    [
      'run: |\n  kubectl get pods --selector=app in (a) -o name # why\n  ls\n',
      "run: |\n  kubectl get pods --selector='app in (a)' -o name # why\n  ls\n",
    ],
    ['run: [kubectl get pods -l app in (a)]\n', "run: [kubectl get pods -l 'app in (a)']\n"],
  ])('is told, and mended by quotes: %j', (text, wanted) => {
    expect(found(text)).toEqual([['label-selector', '(', words('(')]]);
    expect(sites(text)).toEqual([]);
    expect(fixed(text, 'label-selector')).toBe(wanted);
    expect(sites(wanted)[0]?.requirements).toHaveLength(wanted.includes('x=y') ? 2 : 1);
  });

  it('may be a file that is written by mistake', () => {
    const text = 'run: kubectl get pods -l count>5 -A\n';
    expect(found(text)).toEqual([['no-effect', '>', words('>')]]);
    const after = fixed(text, 'no-effect');
    expect(after).toBe("run: kubectl get pods -l 'count>5' -A\n");
    expect(selects(after)).toEqual(['pods -: count>5']);
  });

  it('is not mended where nobody knows what was meant', () => {
    const [finding] = new YamlFile('run: kubectl get pods -l app in ($X)\n').analysis().findings;
    expect(finding).toMatchObject({ code: 'label-selector', fixes: [] });
  });

  it('has no offers and no actions', () => {
    const text = 'run: kubectl get pods -l app in (a,b)\n';
    const file = new YamlFile(text);
    expect(file.spotAt(text.indexOf('pp'))).toBeUndefined();
    expect(file.actionsAt(text.indexOf('pp'))).toEqual([]);
  });

  it.each([
    ["run: kubectl get pods -l 'app in (a,b)'\n", 'app in (a,b)'],
    ['run: kubectl get pods -l app=x>5\n', 'app=x'],
    ['run: kubectl get pods -l app >5\n', 'app'],
    ['run: kubectl get pods -l app>out.txt\n', 'app'],
    ['run: kubectl get pods -l app in\n', 'app'],
    ['args: [kubectl, get, pods, -l, app, in, (a)]\n', 'app'],
  ])('is not what stands here: %j', (text, wanted) => {
    expect(found(text)).toEqual([]);
    expect(selects(text)).toEqual([`pods -: ${wanted}`]);
  });
});
