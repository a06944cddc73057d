// Where everybody reads an uploaded file, and which file an address leads to.
import type { Context } from '../context'
import { isFileKey } from './store'

export function addressOfFile({ files, config }: Pick<Context, 'files' | 'config'>, key: string): string {
  return files.publicUrl(key) ?? `${config.baseUrl}/uploads/${key}`
}

/** The key of a file in the folder; undefined for every other address. */
export function keyOfAddress(
  at: Pick<Context, 'files' | 'config'>,
  folder: string,
  address: string,
): string | undefined {
  const key = address.split('/').slice(-2).join('/')
  return isFileKey(key) && key.startsWith(`${folder}/`) && addressOfFile(at, key) === address
    ? key
    : undefined
}
