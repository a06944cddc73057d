// The form of a backup file: a header that a person can read (two lines of text), then frames, then a trailer that counts them and
// seals the whole with a digest. Nothing in it depends on the version of PostgreSQL: rows are COPY's text, compressed in pieces.
//
//   WAXWING BACKUP 1
//   {"program":"…","madeAt":"…","migrations":[…],"tables":[…],…}
//   frame*   kind (1 byte), length of the content and length as stored (4 bytes each, big endian), content
//
// A table is `table`, `rows`*, `tableEnd`; a file of the data directory is `file`, `rows`*, `fileEnd`; `trailer` is the last frame.

import { type Static, Type as T } from '@sinclair/typebox'

export const magic = 'WAXWING BACKUP 1\n'

/** Anything longer is not a header. */
export const maxHeaderLength = 4 * 1024 ** 2
/** A frame holds whole rows, and PostgreSQL permits 1 GB for one. */
export const maxFrameLength = 1024 ** 3
/** Rows are gathered up to this size before they are compressed. */
export const blockBytes = 1024 ** 2

export const frameKinds = {
  secrets: 0x53,
  table: 0x54,
  rows: 0x44,
  tableEnd: 0x45,
  file: 0x46,
  fileEnd: 0x47,
  sequences: 0x51,
  trailer: 0x5a,
} as const

export type FrameKind = keyof typeof frameKinds

export const frameHeadBytes = 9

const recordedMigration = T.Object({ tag: T.String(), hash: T.String() })
export type RecordedMigration = Static<typeof recordedMigration>

export const tableShape = T.Object({ name: T.String(), columns: T.Array(T.String()) })
export type TableShape = Static<typeof tableShape>

export const backupHeader = T.Object({
  /** Version of Waxwing that wrote the file. */
  program: T.String(),
  madeAt: T.String(),
  /** Full version of the database server. */
  server: T.String(),
  migrations: T.Array(recordedMigration),
  tables: T.Array(tableShape),
  /** Shows which pair of JWT_SECRET and ENCRYPTION_KEY belongs to the data, without revealing it; null before the first start. */
  secretMarks: T.Union([T.Null(), T.Object({ signed: T.String(), sealed: T.String() })]),
  /** Whether the secrets themselves are in the file. */
  withSecrets: T.Boolean(),
})
export type BackupHeader = Static<typeof backupHeader>

export const tableSum = T.Object({
  rows: T.Number(),
  /** Sum of the hashes of all rows, which does not depend on their order. */
  checksum: T.String(),
  /** Plain size of the rows. */
  bytes: T.Number(),
})
export type TableSum = Static<typeof tableSum>

export const fileName = T.Object({ path: T.String() })

export const fileSum = T.Object({ bytes: T.Number(), sha256: T.String() })
export type FileSum = Static<typeof fileSum>

const sequenceValue = T.Object({ name: T.String(), value: T.String(), isCalled: T.Boolean() })
export type SequenceValue = Static<typeof sequenceValue>
export const sequenceValues = T.Array(sequenceValue)

export const backupTrailer = T.Object({
  tables: T.Record(T.String(), tableSum),
  files: T.Number(),
  /** Of every byte before this frame's own. */
  sha256: T.String(),
})
export type BackupTrailer = Static<typeof backupTrailer>

/** The file is not a backup, not whole, or was changed. */
export class BackupFault extends Error {}

export function frameHead(kind: FrameKind, contentLength: number, storedLength: number): Uint8Array {
  const head = new Uint8Array(frameHeadBytes)
  const view = new DataView(head.buffer)
  head[0] = frameKinds[kind]
  view.setUint32(1, contentLength)
  view.setUint32(5, storedLength)
  return head
}

const kindsByCode = new Map(
  Object.entries(frameKinds).map(([kind, code]) => [code as number, kind as FrameKind]),
)

export function readFrameHead(head: Uint8Array): {
  kind: FrameKind
  contentLength: number
  storedLength: number
} {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const kind = kindsByCode.get(head[0]!)
  const [contentLength, storedLength] = [view.getUint32(1), view.getUint32(5)]
  if (!kind || contentLength > maxFrameLength || storedLength > maxFrameLength)
    throw new BackupFault('the backup is damaged: what follows is no frame')
  return { kind, contentLength, storedLength }
}
