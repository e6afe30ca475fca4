export function readSetting(setting: 'cases' | 'seed', text: string, name: string): number;
