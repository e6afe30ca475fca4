export type VSCodeVersion = '1.139' | '1.93';
export const vscodeVersions: readonly VSCodeVersion[];
/** The exact releases that stand for a version. */
export function releaseOf(version: VSCodeVersion): {
  codeServer: string;
  node: string;
  ripgrep?: string;
};
export const nodePackage: string;
export function codeServerDir(version: VSCodeVersion): string;
export function findCodeServer(
  version: VSCodeVersion,
): { readonly node: string; readonly entry: string } | undefined;
export function findChromium(): string | undefined;
export function onPath(...names: string[]): string | undefined;
