/** Selectors and names as Kubernetes reads, checks and prints them. */

export * from './fieldErrors';
export * from './fieldEscape';
export * from './fieldParser';
export * from './fieldSelector';
export * from './int64';
export * from './labelLexer';
export * from './labelParser';
export * from './labelRequirement';
export * from './labelSelector';
export * from './labelSelectorObject';
export * from './labelSet';
export * from './names';
export * from './nodeSelector';
export * from './types';
