import { developerArea } from '../developer/area.js';
import type { Area } from '../frame/area.js';
import { thrownFailure, type Failure } from '../frame/failure.js';
import { serverNow, type BrowserSession } from '../frame/session.js';
import { operatorArea } from '../operator/area.js';
import { originatorArea } from '../originator/area.js';
import { tradingArea } from '../trading/area.js';
import { readCompany } from './company.js';
import { readDeveloper, readFollowed } from './developer.js';
import type { View } from './item.js';
import { readOperator } from './operator.js';
import { readOriginator } from './originator.js';
import { homeTexts } from './texts.js';

/** What a role finds on the home: one document of the graph, and what is made of it. */
interface Part extends Pick<Area, 'appliesTo' | 'title'> {
  readonly read: (session: BrowserSession, nowMs: number) => Promise<View>;
}

/** Where an area is for sessions that may not read what its part shows, the part is only for those that may. */
const having =
  (area: Area, scope: string): Area['appliesTo'] =>
  (session) =>
    area.appliesTo(session) && session.scopes.includes(scope);
const ofDeveloper = { ...developerArea, appliesTo: having(developerArea, 'confirmed') };

const parts: readonly Part[] = [
  { ...operatorArea, read: readOperator },
  { ...tradingArea, appliesTo: having(tradingArea, 'read'), read: readCompany },
  { ...originatorArea, read: (_session, nowMs) => readOriginator(nowMs) },
  { ...ofDeveloper, read: (_session, nowMs) => readDeveloper(nowMs) },
  { ...ofDeveloper, title: ({ developer }) => developer.followed, read: readFollowed },
];

/** A part as it was read, or why it could not be. */
export interface Found extends Pick<Area, 'title'> {
  readonly view?: View;
  readonly failure?: Failure;
}

/** Reads the parts of everything that a session may see. */
export async function readParts(session: BrowserSession): Promise<readonly Found[]> {
  await homeTexts.load();
  return Promise.all(
    parts
      .filter(({ appliesTo }) => appliesTo(session))
      .map(({ title, read }) =>
        read(session, serverNow()).then(
          (view) => ({ title, view }),
          (error: unknown) => ({ title, failure: thrownFailure(error) }),
        ),
      ),
  );
}
