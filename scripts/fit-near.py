#!/usr/bin/env python3
"""Fits the coefficients of NearConfidence.

    conformance robust DIR --corpus SENTENCES --fit 3 >features.jsonl
    scripts/fit-near.py features.jsonl

Reads one spoiled sentence a line: `features`, and `right` when the first reading is what was meant.
Prints the coefficients of a logistic function (ridge penalty 1, Newton's method) as they stand in
Sources/IntentRouter/Near/NearConfidence.swift, and confidence beside the share that was right.
"""
import json
import math
import sys

# How often a kind counts, where that is not once. A name that nobody has is what people say more
# often than a program that picks any word; a word too many is seldom the name of a place.
WEIGHTS = {"name": 2.25, "place": 0.5}


def solve(matrix, vector):
    """The solution of a system of linear equations, by elimination."""
    size = len(vector)
    rows = [row[:] + [value] for row, value in zip(matrix, vector)]
    for pivot in range(size):
        best = max(range(pivot, size), key=lambda row: abs(rows[row][pivot]))
        rows[pivot], rows[best] = rows[best], rows[pivot]
        for row in range(pivot + 1, size):
            factor = rows[row][pivot] / rows[pivot][pivot]
            if factor:
                for column in range(pivot, size + 1):
                    rows[row][column] -= factor * rows[pivot][column]
    result = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][column] * result[column] for column in range(row + 1, size))
        result[row] = (rows[row][size] - known) / rows[row][row]
    return result


def sigmoid(value):
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, value))))


def fit(features, right, weights):
    size, count = len(features[0]), len(features)
    means = [sum(row[i] for row in features) / count for i in range(size)]
    spreads = [
        math.sqrt(sum((row[i] - means[i]) ** 2 for row in features) / count) or 1.0
        for i in range(size)
    ]
    means[0], spreads[0] = 0.0, 1.0
    rows = [[(row[i] - means[i]) / spreads[i] for i in range(size)] for row in features]
    beta = [0.0] * size
    for _ in range(60):
        gradient = [0.0 if i == 0 else beta[i] for i in range(size)]
        hessian = [[1.0 if i == j else 0.0 for j in range(size)] for i in range(size)]
        for row, is_right, weight in zip(rows, right, weights):
            share = sigmoid(sum(b * x for b, x in zip(beta, row)))
            slope = weight * share * (1 - share)
            for i in range(size):
                gradient[i] += weight * (share - is_right) * row[i]
                for j in range(i, size):
                    hessian[i][j] += slope * row[i] * row[j]
        for i in range(size):
            for j in range(i):
                hessian[i][j] = hessian[j][i]
        step = solve(hessian, gradient)
        beta = [b - s for b, s in zip(beta, step)]
        if max(abs(s) for s in step) < 1e-7:
            break
    plain = [b / s for b, s in zip(beta, spreads)]
    plain[0] = beta[0] - sum(b * m / s for b, m, s in list(zip(beta, means, spreads))[1:])
    return plain


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    features = [row["features"] for row in rows]
    right = [1.0 if row["right"] else 0.0 for row in rows]
    beta = fit(features, right, [WEIGHTS.get(row["kind"], 1.0) for row in rows])
    print("[" + ", ".join("%.3f" % value for value in beta) + "]")
    tenths = [[0, 0.0, 0.0] for _ in range(10)]
    for row, is_right in zip(features, right):
        said = sigmoid(sum(b * x for b, x in zip(beta, row)))
        tenth = tenths[min(9, int(said * 10))]
        tenth[0] += 1
        tenth[1] += said
        tenth[2] += is_right
    for index, (count, said, good) in enumerate(tenths):
        if count:
            print("0.%d %6d rows, said %.3f, right %.3f" % (index, count, said / count, good / count))


if __name__ == "__main__":
    main()
