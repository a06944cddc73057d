// Which build this is. Releases have a version, and between two releases many builds have the same one: who reports a problem, or upgrades
// from a build of their own, needs to tell them apart.
import manifest from '../../package.json'

/** Of the release that this is, or leads to: what migrations, backups and clients of the API are told. */
export const { version } = manifest

/** The commit and its date, put in by scripts/build.ts. */
declare const WAXWING_BUILD_OF: string | undefined

/** A name that nothing put in is no variable at all. */
const build = typeof WAXWING_BUILD_OF === 'string' ? WAXWING_BUILD_OF : 'run from source'

/** The version with its build, for people: `0.1.0 (abc1234, 2026-11-26)`. */
export const fullVersion = `${version} (${build})`
