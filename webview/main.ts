import { startPage } from './page';
import { registerToolkit } from './toolkit';

registerToolkit();
const root = document.querySelector<HTMLElement>('main');
if (root) startPage(acquireVsCodeApi(), root);
