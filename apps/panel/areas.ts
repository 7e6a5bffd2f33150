import { accountArea } from './account/area.js';
import { developerArea } from './developer/area.js';
import type { Area } from './frame/area.js';
import { operatorArea } from './operator/area.js';
import { originatorArea } from './originator/area.js';
import { tradingArea } from './trading/area.js';

/** The areas in the order of the navigation. The first page of the first area that applies to a session is its start. */
export const areas: readonly Area[] = [operatorArea, tradingArea, originatorArea, developerArea, accountArea];
