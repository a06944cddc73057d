// Documented endpoints that this version does not serve. The contract test lets this list shrink and never grow unnoticed: an
// endpoint that is served must be taken off it.

export const notServedYet: readonly string[] = []
