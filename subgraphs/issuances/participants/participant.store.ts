import { byOperation } from '../operations/by-operation.js';
import { ParticipantRow } from './participant.entity.js';

export const participantsOf = byOperation(ParticipantRow, { position: 'ASC', id: 'ASC' });
