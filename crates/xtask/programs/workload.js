// Workload for Rhino: objects, closures, strings, arrays and numbers, in one file.
var rounds = Number(arguments[0]);

function Body(x, y, vx, vy, mass) {
  this.x = x; this.y = y; this.vx = vx; this.vy = vy; this.mass = mass;
}

function simulate(steps) {
  var bodies = [];
  for (var i = 0; i < 5; i++) bodies.push(new Body(i * 3, i * i, 0.1 * i, 0.2, 1 + i));
  for (var s = 0; s < steps; s++) {
    for (var a = 0; a < bodies.length; a++) {
      for (var b = a + 1; b < bodies.length; b++) {
        var dx = bodies[a].x - bodies[b].x, dy = bodies[a].y - bodies[b].y;
        var d2 = dx * dx + dy * dy + 0.01, m = 0.001 / (d2 * Math.sqrt(d2));
        bodies[a].vx -= dx * bodies[b].mass * m; bodies[a].vy -= dy * bodies[b].mass * m;
        bodies[b].vx += dx * bodies[a].mass * m; bodies[b].vy += dy * bodies[a].mass * m;
      }
    }
    bodies.forEach(function (body) { body.x += 0.001 * body.vx; body.y += 0.001 * body.vy; });
  }
  return bodies[0].x.toFixed(6);
}

function words(count) {
  var seen = {}, text = [];
  for (var i = 0; i < count; i++) {
    var word = "w" + (i * 7919 % 503);
    text.push(word);
    seen[word] = (seen[word] || 0) + 1;
  }
  var joined = text.join(" ").replace(/w(\d)/g, "v$1").split(" ");
  return Object.keys(seen).length + ":" + joined.sort().slice(0, 2);
}

function interpret(program) {
  var stack = [], at = 0, steps = 0;
  while (at < program.length) {
    var op = program[at++];
    steps++;
    switch (op[0]) {
      case "push": stack.push(op[1]); break;
      case "add": stack.push(stack.pop() + stack.pop()); break;
      case "dup": stack.push(stack[stack.length - 1]); break;
      case "loop": if (stack[stack.length - 1] < op[1]) at = op[2]; break;
    }
  }
  return steps;
}

var result;
for (var r = 0; r < rounds; r++) {
  result = [simulate(300), words(3000), interpret([["push", 0], ["push", 1], ["add"], ["loop", 4000, 1]])].join(" ");
}
print(result);
