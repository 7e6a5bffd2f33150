import { defineTexts } from './language.js';

export const frameTexts = defineTexts(async () => (await import('./messages.js')).texts);
