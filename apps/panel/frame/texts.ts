import { defineTexts } from './language.js';
import type { Messages } from './messages/pt-BR.js';

/** Texts of the frame, which are there before the first screen. */
export const frameTexts = defineTexts<Messages>({
  'pt-BR': async () => (await import('./messages/pt-BR.js')).portuguese,
  en: async () => (await import('./messages/en.js')).english,
});
