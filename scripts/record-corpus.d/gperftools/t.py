# A child that Python forks goes on with its parent's profile.
import os

def work(rounds):
    total = 0
    for n in range(rounds):
        total += sum(range(n % 500))
    return total

work(150000)
child = os.fork()
work(100000)
if child:
    os.waitpid(child, 0)
