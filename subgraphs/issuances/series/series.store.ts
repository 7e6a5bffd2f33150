import { byOperation } from '../operations/by-operation.js';
import { SeriesRow } from './series.entity.js';

export const seriesOf = byOperation(SeriesRow, { number: 'ASC' });
