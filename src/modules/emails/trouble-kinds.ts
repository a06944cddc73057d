// What can go wrong with a message, as far as lists of such messages tell it apart.

export const troubleKinds = ['waiting', 'failed', 'bounced', 'complained', 'suppressed'] as const
export type TroubleKind = (typeof troubleKinds)[number]
