import { packed } from '../frame/packed.js';
import { graph } from './graph.js';

/** A file whose pieces the server has. */
export interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly pieces: number;
}

/** As the description of `addImportFilePiece` says. */
const pieceBytes = 61_440;
/** The most pieces of a file. */
const mostPieces = 256;

/** How much is uploaded, in pieces. */
export interface Uploaded {
  readonly done: number;
  readonly total: number;
}

/**
 * Uploads files in compressed pieces, and returns them as an import names them; the name of a file that is too large instead.
 * @throws {FailureError}
 */
export async function uploadFiles(
  files: readonly File[],
  onUploaded: (uploaded: Uploaded) => void,
): Promise<readonly UploadedFile[] | string> {
  const cut = await Promise.all(
    files.map(async (file) => ({ id: crypto.randomUUID(), name: file.name, pieces: piecesOf(await packed(file)) })),
  );
  const large = cut.find(({ pieces }) => pieces.length > mostPieces);
  if (large !== undefined) return large.name;
  const total = cut.reduce((sum, { pieces }) => sum + pieces.length, 0);
  let done = 0;
  onUploaded({ done, total });
  for (const { id, pieces } of cut)
    for (const [position, piece] of pieces.entries()) {
      await graph.mutate('addImportFilePiece', { file: id, position, piece: await base64(piece) });
      onUploaded({ done: ++done, total });
    }
  return cut.map(({ id, name, pieces }) => ({ id, name, pieces: pieces.length }));
}

function piecesOf(whole: Blob): Blob[] {
  return Array.from({ length: Math.ceil(whole.size / pieceBytes) }, (_, at) =>
    whole.slice(at * pieceBytes, (at + 1) * pieceBytes),
  );
}

async function base64(piece: Blob): Promise<string> {
  const bytes = new Uint8Array(await piece.arrayBuffer());
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
}
