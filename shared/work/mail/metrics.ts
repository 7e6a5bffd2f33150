import { failingWork } from '../queue/metrics.js';
import { watchedMails } from './mailer.js';

/** Grows while the mail server does not accept a message. */
export const failingMails = failingWork(watchedMails, 'mail', 'mail.created_at');
