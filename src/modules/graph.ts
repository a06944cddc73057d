// The modules by group, and whom each may use: the one place where an arrow between modules is allowed. A test holds it against
// the imports, and `bun run map` draws it into the map (src/README.md).

/**
 * Lowest first. A module uses others through their doors only (`index.ts`), and only those that stand before it here: in its own group, or in
 * a group above.
 */
export const moduleGroups = {
  /** Who uses the instance. */
  accounts: {
    'system-emails': [],
    users: ['system-emails'],
    projects: ['system-emails', 'users'],
  },
  /** Whom mail is for. */
  audience: {
    events: ['projects'],
    contacts: ['projects', 'events'],
    suppressions: ['projects'],
    topics: ['projects', 'contacts'],
    verify: ['projects'],
  },
  /** How mail is made, leaves and comes back. */
  sending: {
    domains: ['projects'],
    emails: ['system-emails', 'projects', 'events', 'contacts', 'suppressions', 'domains'],
    delivery: ['projects', 'domains', 'emails'],
    preferences: ['projects', 'contacts', 'topics', 'emails'],
    redirects: ['users', 'emails', 'preferences'],
    templates: ['projects', 'contacts', 'domains', 'emails', 'preferences'],
    feedback: ['projects', 'events', 'contacts', 'emails', 'preferences'],
  },
  /** What a team builds on that. */
  features: {
    segments: ['projects', 'events', 'contacts', 'topics', 'emails'],
    forms: [
      'system-emails',
      'users',
      'projects',
      'contacts',
      'topics',
      'verify',
      'domains',
      'emails',
      'preferences',
      'templates',
    ],
    campaigns: [
      'system-emails',
      'projects',
      'events',
      'contacts',
      'suppressions',
      'topics',
      'domains',
      'emails',
      'delivery',
      'preferences',
      'templates',
      'feedback',
      'segments',
    ],
    workflows: [
      'projects',
      'events',
      'contacts',
      'suppressions',
      'topics',
      'domains',
      'emails',
      'preferences',
      'templates',
      'segments',
    ],
  },
  /** What watches and reports. */
  oversight: {
    security: ['projects', 'emails'],
    billing: ['projects', 'emails', 'security'],
    privacy: [
      'system-emails',
      'users',
      'projects',
      'events',
      'contacts',
      'suppressions',
      'topics',
      'emails',
      'preferences',
    ],
    reporting: ['projects', 'events', 'emails', 'workflows'],
  },
  /** Ways in and out for other programs. */
  api: {
    v1: ['projects', 'events', 'contacts', 'domains', 'emails', 'templates'],
    submission: ['projects', 'v1'],
    mcp: ['projects', 'contacts', 'emails', 'campaigns'],
    uploads: ['projects'],
    webhooks: ['projects', 'events'],
    meta: ['system-emails', 'users', 'projects', 'domains', 'emails', 'feedback'],
  },
} satisfies Record<string, Record<string, string[]>>

/** All of them in one, in that order. */
export const moduleGraph: Readonly<Record<string, readonly string[]>> = Object.assign(
  {},
  ...Object.values(moduleGroups),
)
