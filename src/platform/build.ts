// Which build this is. Releases have a version, and between two releases many builds have the same one.
import { version } from '../../package.json'

/** The commit and its date, put in by scripts/build.ts. */
declare const WAXWING_BUILD_OF: string | undefined

const build = typeof WAXWING_BUILD_OF === 'string' ? WAXWING_BUILD_OF : 'run from source'

/** The version with its build: `0.1.0 (abc1234, 2026-11-26)`. */
export const fullVersion = `${version} (${build})`
