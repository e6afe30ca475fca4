/** The few colours of a terminal. Without colour every function gives the text back. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
}

const paint = (on: boolean, open: number, close: number) => (text: string) =>
  on ? `\x1b[${open}m${text}\x1b[${close}m` : text;

export function makeStyle(colour: boolean): Style {
  return {
    bold: paint(colour, 1, 22),
    dim: paint(colour, 2, 22),
    red: paint(colour, 31, 39),
    yellow: paint(colour, 33, 39),
  };
}

/** Colour is for terminals, unless `NO_COLOR` holds any text or the terminal is dumb. */
export function wantsColour(isTTY: boolean, env: Readonly<Record<string, string | undefined>>) {
  return isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
