export function oraclePath(): string;
export function pinnedModule(path: string): string | undefined;
export function findOracle(): string | undefined;
export function getOracle(): string | undefined;
