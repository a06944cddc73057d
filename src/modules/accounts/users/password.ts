// How passwords are kept: argon2id, with a cost that a small machine can afford and an attacker can't. An address without a
// password is checked against a fixed hash, so that the time of an answer doesn't tell whether the account exists.

export interface PasswordCost {
  /** KiB. */
  memoryCost: number
  timeCost: number
}

/** OWASP's recommendation for argon2id: 19 MiB, two passes. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

export const minPasswordLength = 8
export const maxPasswordLength = 200

/** The hash of random text that nobody kept, made with `passwordCost`. */
export const unknownPasswordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$WDVvfEZd4j/IXp7f8jclxCofsuAm7RDNV+w5v+g3eDs$c7HkR4yAm1b/n+Rwb3EanKfb+yD9u6vkRrBvBzI4YHw'

export async function hashPassword(password: string, cost: PasswordCost = passwordCost): Promise<string> {
  return await Bun.password.hash(spelling(password), { algorithm: 'argon2id', ...cost })
}

/** Whether it is the right password; without a stored hash the work is the same and the result is false. */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const matches = await Bun.password.verify(spelling(password), hash ?? unknownPasswordHash)
  return matches && typeof hash === 'string'
}

/** The same password may arrive in several Unicode forms, depending on the keyboard. */
function spelling(password: string): string {
  return password.normalize('NFKC')
}
