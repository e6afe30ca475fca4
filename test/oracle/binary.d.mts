export function oraclePath(): string;
export function pinnedModule(path: string): string | undefined;
/** Throws unless an oracle that names these `path version` was built with what the sources pin. */
export function requirePinned(versions: readonly string[]): void;
export function findOracle(): string | undefined;
export function getOracle(): string | undefined;
export function goMissing(): boolean;
