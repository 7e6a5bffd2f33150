/** DRAFT: being set up. ACTIVE: in force. CLOSED: ended, everything in it is settled. */
export const patrimonyStatuses = ['DRAFT', 'ACTIVE', 'CLOSED'] as const;
export type PatrimonyStatus = (typeof patrimonyStatuses)[number];
