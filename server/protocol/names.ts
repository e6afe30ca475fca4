/** Names that `package.json` contributes, one member each; a test holds both sides equal. */
export const commands = {
  openTerminal: 'etcdList.openTerminal',
} as const;

export type Command = (typeof commands)[keyof typeof commands];
