// Secrets that are given as files: `NAME_FILE` holds the path of a file whose content is the value of `NAME`, which is how Docker
// secrets, Kubernetes and systemd's LoadCredential hand them over.
import { readFileSync } from 'node:fs'

/** Longer than any secret, key in PEM, or URL. */
const maxBytes = 64 * 1024

export const fileNameOf = (name: string): string => `${name}_FILE`

/** The content of a file without the line end behind it, or words on why there is none. */
export function readSecretFile(path: string): { value: string } | { fault: string } {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const code = (error as { code?: string }).code
    return {
      fault:
        code === 'ENOENT'
          ? 'there is no such file'
          : code === 'EACCES'
            ? `the user that runs Waxwing can't read it`
            : 'it cannot be read',
    }
  }
  if (text === '') return { fault: 'it is empty' }
  if (text.length > maxBytes || text.includes('\0')) return { fault: 'it is not a text of at most 64 kB' }
  return { value: text }
}
