import { texts as account } from '../../apps/panel/account/messages.js';
import { texts as developer } from '../../apps/panel/developer/messages.js';
import { texts as frame } from '../../apps/panel/frame/messages.js';
import { texts as home } from '../../apps/panel/home/messages.js';
import { texts as operator } from '../../apps/panel/operator/messages.js';
import { texts as originator } from '../../apps/panel/originator/messages.js';
import { texts as trading } from '../../apps/panel/trading/messages.js';
import { inLanguage } from '../../apps/design/texts.js';

const texts = { account, developer, frame, home, operator, originator, trading };
export const inPortuguese = inLanguage('pt-BR', texts);
export const inEnglish = inLanguage('en', texts);
