/** Stored keys and values that somebody may have meant by one that is not stored. */
import { nearest } from '../../common/nearest';
import type { CountedText, CountedTexts } from './countedTexts';

const MOST = 3;
/** No valid key is longer: 253 for its prefix, a slash, 63 for its name. */
const LONGEST = 317;
/** Those that are compared letter by letter, which is costly. */
const MOST_COMPARED = 100;

/** Best first: misspelt names, then the same name under another prefix; without those whatever is alike. */
export function nearKeys(key: string, keys: CountedTexts): CountedText[] {
  const [prefix, name] = split(key);
  const names: string[] = [];
  const named: string[] = [];
  const others: string[] = [];
  for (const each of keys.all) {
    const [itsPrefix, itsName] = split(each);
    if (itsPrefix === prefix) names.push(itsName);
    else if (itsName === name) named.push(each);
    else others.push(each);
  }
  const misspelt = alike(name, names).map((each) => prefix + each);
  const best = [...misspelt, ...named];
  return counted(best.length > 0 ? best : alike(key, others), keys);
}

export function nearValues(value: string, values: CountedTexts): CountedText[] {
  return counted(alike(value, values.all), values);
}

function counted(texts: readonly string[], all: CountedTexts): CountedText[] {
  return texts.slice(0, MOST).map((text) => ({ text, count: all.countOf(text) }));
}

/** A key's prefix with its slash, perhaps empty, and its name. */
function split(key: string): readonly [prefix: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash + 1), key.slice(slash + 1)];
}

function alike(word: string, texts: readonly string[]): string[] {
  if (word === '' || word.length > LONGEST) return [];
  return nearest(word, fewer(word, texts), MOST);
}

/** Leaves out what cannot be near, and of many the less alike, in time linear in the texts. */
function fewer(word: string, texts: readonly string[]): readonly string[] {
  if (texts.length <= MOST_COMPARED) return texts;
  const reach = Math.max(2, Math.floor(word.length / 3));
  const letters = new Letters(word);
  const byDistance: string[][] = Array.from({ length: reach + 1 }, () => []);
  for (const text of texts) {
    const list = byDistance[letters.least(text)];
    if (list !== undefined && list.length < MOST_COMPARED) list.push(text);
  }
  return byDistance.flat().slice(0, MOST_COMPARED);
}

/** The letters of a word, to tell in little time which texts cannot be near. */
class Letters {
  /** How often each occurs; some share a place. */
  private readonly counts = new Int16Array(128);

  constructor(private readonly word: string) {
    this.add(word);
  }

  /** Edits between the two are at least so many: each gives at most one letter its counterpart. */
  least(text: string): number {
    const longest = Math.max(text.length, this.word.length);
    const shortest = Math.min(text.length, this.word.length);
    // Longer ones are told by their length alone.
    if (longest > LONGEST) return longest - shortest;
    const { counts } = this;
    let shared = 0;
    for (let i = 0; i < text.length; i++) {
      const place = text.charCodeAt(i) & 127;
      const count = counts[place] ?? 0;
      if (count > 0) shared++;
      counts[place] = count - 1;
    }
    this.add(text);
    return longest - shared;
  }

  private add(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const place = text.charCodeAt(i) & 127;
      this.counts[place] = (this.counts[place] ?? 0) + 1;
    }
  }
}
